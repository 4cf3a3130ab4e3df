"""Whatever the octets: nothing raises, nothing is lost, memory stays flat."""

import os
import pickle
import resource
import sys

import pytest
from conftest import MAIL
from hypothesis import given, settings
from hypothesis import strategies as st

import mime_charset
from mime_charset import Message
from mime_charset.inspect import message_json

PIECES = st.sampled_from(
    [
        b"Subject: ", b"From: ", b"Content-Type: ", b"Content-Transfer-Encoding: ", b"multipart/mixed; boundary=b",
        b"message/rfc822", b"text/plain; charset=", b"utf-8", b"koi8-r", b"base64", b"quoted-printable",
        b"=?utf-8?q?=C3=A9?=", b"=?euc-kr?B?x9Gxub7u?=", b"--b", b"--b--", b"\n", b"\r\n", b"\r", b"\n\n", b" ", b"\xff",
        b"\xc3\xa9", b"\x1b$B", b"=", b";", b"\"", b"(", b"<", b"From x Sat Jan  3 01:05:34 1996\n",
    ]
)  # fmt: skip
MAILS = st.one_of(
    st.binary(max_size=300),
    st.lists(st.one_of(PIECES, st.binary(max_size=8)), max_size=40).map(b"".join),
)


def covered(message: Message) -> bytes:
    """The headers and the bodies that are no multiparts, with what stands between them."""
    source, end, octets = message.source, 0, b""
    for part in message.entities:
        ranges = [part.header_range]
        if not part.is_multipart and not part.is_message:
            ranges.append(part.body_range)
        for place in ranges:
            if place is None:
                continue
            assert place[0] >= end
            between = source[end : place[0]]
            # Delimiters, preambles and epilogues belong to the multipart that they stand in.
            octets += between + source[slice(*place)]
            end = place[1]
    return octets + source[end:]


@settings(max_examples=600, deadline=None, derandomize=True)
@given(MAILS)
def test_nothing_raises_and_nothing_is_lost(octets: bytes) -> None:
    message = Message(octets)
    assert covered(message) == octets == message.source
    for part in message.entities:
        if part.header_range is not None and part.body_range is not None:
            assert octets[slice(*part.header_range)] == part.header
            assert octets[slice(*part.body_range)] == part.body
        assert (part.text is None) == (not part.is_text) == (part.decision is None)
        if part.text is not None:
            part.text.encode("utf-8")
        repr(part), part.filename, part.addresses("From"), part.children
    assert pickle.loads(pickle.dumps(message.fields)) == message.fields
    message_json(message, text=True)
    for prefer in ("plain", "html"):
        message.best_text(prefer)
    (batch,) = mime_charset.read(octets)
    assert batch["subject"] == [message["Subject"]]


@settings(max_examples=300, deadline=None, derandomize=True)
@given(st.binary(max_size=200), st.text(max_size=20) | st.none())
def test_functions_never_raise(octets: bytes, label: str | None) -> None:
    mime_charset.decode(octets, label).text.encode("utf-8")
    mime_charset.detect(octets)
    mime_charset.content_type(octets)
    mime_charset.field(octets, label)
    mime_charset.addresses(octets)
    mime_charset.labels(label or "")


def test_the_corpus_is_covered() -> None:
    for path in MAIL:
        octets = path.read_bytes()
        assert covered(Message(octets)) == octets, path


@pytest.mark.skipif(sys.platform != "linux", reason="/proc tells what a process holds")
def test_memory_stays_flat() -> None:
    """Five thousand messages, read one by one and as columns, take no more than the first five hundred.

    MIME_CHARSET_MEMORY_MESSAGES asks for another number.
    """
    octets = [path.read_bytes() for path in MAIL[:50]]

    def held() -> int:
        with open("/proc/self/statm", encoding="ascii") as statm:
            return int(statm.read().split()[1]) * resource.getpagesize()

    def read(times: int) -> None:
        for _ in range(times):
            for source in octets:
                message = Message(source)
                message["Subject"], message.fields
                for part in message.parts:
                    part.text, part.octets, part.findings, part.decision, part.children
            for _ in mime_charset.read(octets, 2):
                pass

    read(10)
    before = held()
    read(int(os.environ.get("MIME_CHARSET_MEMORY_MESSAGES", "5000")) // len(octets))
    # Less than the octets that are read: 23,273 of fifty messages, a hundred times, in two ways.
    assert held() - before < 4 << 20
