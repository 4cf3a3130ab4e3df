"""For any octets: nothing raises, nothing is lost, memory stays constant."""

import base64
import ctypes
import gc
import pickle
import quopri
import sys
from collections.abc import Callable
from typing import NamedTuple

import pytest
from conftest import MAIL
from hypothesis import HealthCheck, assume, given, settings
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
    """The headers, the bodies except those of multiparts, and the octets between them."""
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
            # Delimiters, preambles and epilogues belong to the enclosing multipart.
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


class Built(NamedTuple):
    """A generated part, and its components."""

    source: bytes
    header: bytes
    body: bytes
    octets: bytes
    """The octets after transfer decoding."""
    children: tuple["Built", ...]


def written(octets: bytes, encoding: str) -> bytes:
    """Encodes with the standard library: lines of base64, and quoted-printable for octets that are not text."""
    if encoding == "base64":
        return base64.encodebytes(octets)
    if encoding == "quoted-printable":
        return quopri.encodestring(octets, quotetabs=True).replace(b"\n", b"=0A=\n")
    return octets


LEAVES = st.builds(
    lambda octets, encoding, media_type: Built(
        source := (
            header := b"Content-Type: %s\nContent-Transfer-Encoding: %s\n\n" % (media_type.encode(), encoding.encode())
        )
        + (body := written(octets, encoding)),
        header,
        body,
        octets,
        (),
    ),
    st.binary(max_size=60).filter(lambda octets: b"--" not in octets and b"\r" not in octets),
    st.sampled_from(["base64", "quoted-printable", "8bit", "binary", "7bit"]),
    st.sampled_from(["text/plain; charset=utf-8", "text/html", "application/octet-stream", "image/png"]),
)


@st.composite
def multiparts(draw: st.DrawFn, children: st.SearchStrategy[Built]) -> Built:
    """RFC 2046, section 5.1.1: a delimiter is a line ending, two hyphens and the boundary; inner boundaries
    differ from outer ones."""
    parts = draw(st.lists(children, min_size=1, max_size=3))
    boundary = f"b{draw(st.integers(0, 10**9))}".encode()
    assume(not any(boundary in part.source for part in parts))
    preamble = draw(st.sampled_from([b"", b"preamble\n", b"two\nlines\n"]))
    epilogue = draw(st.sampled_from([b"", b"\n", b"\nepilogue\n"]))
    middle = b"".join(b"--%s\n%s\n" % (boundary, part.source) for part in parts)
    body = preamble + middle + b"--%s--" % boundary + epilogue
    header = b"Content-Type: multipart/mixed; boundary=%s\n\n" % boundary
    return Built(header + body, header, body, body, tuple(parts))


def messages(children: st.SearchStrategy[Built]) -> st.SearchStrategy[Built]:
    header = b"Content-Type: message/rfc822\n\n"
    return children.map(lambda it: Built(header + it.source, header, it.source, it.source, (it,)))


TREES = st.recursive(LEAVES, lambda inner: st.one_of(multiparts(inner), messages(inner)), max_leaves=6)


def pieces(built: Built, part: mime_charset.Part) -> bytes:
    """Rebuilds the source: headers, delimiters and preambles as generated, and the part's own octets."""
    assert (part.header, part.body) == (built.header, built.body)
    assert len(part.children) == len(built.children)
    if not built.children:
        assert part.octets == built.octets
        return part.header + written(part.octets, part.transfer_encoding)
    rest, found = built.body, b""
    for inner, child in zip(built.children, part.children, strict=True):
        before, rest = rest.split(inner.source, 1) if inner.source else (b"", rest)
        found += before + pieces(inner, child)
    return part.header + found + rest


@settings(max_examples=400, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow])
@given(TREES)
def test_octets_headers_and_delimiters_are_the_source(built: Built) -> None:
    """For generated messages, whose components are known."""
    source = b"MIME-Version: 1.0\n" + built.source
    message = Message(source)
    root = built._replace(source=source, header=b"MIME-Version: 1.0\n" + built.header)
    assert pieces(root, message.root) == source


def held() -> tuple[int, int]:
    """The allocated octets of malloc, which Rust uses, and Python's allocated blocks."""
    gc.collect()

    class Mallinfo(ctypes.Structure):
        _fields_ = tuple(
            (name, ctypes.c_size_t)
            for name in "arena ordblks smblks hblks hblkhd usmblks fsmblks uordblks fordblks keepcost".split()
        )

    mallinfo2 = ctypes.CDLL(None).mallinfo2
    mallinfo2.restype = Mallinfo
    info = mallinfo2()
    return info.uordblks + info.hblkhd, sys.getallocatedblocks()


def has_mallinfo2() -> bool:
    """glibc 2.33 and later have it."""
    return sys.platform == "linux" and hasattr(ctypes.CDLL(None), "mallinfo2")


SMALL = [
    b"Subject: =?euc-kr?B?x9Gxub7u?=\nContent-Type: text/plain; charset=koi8-r\n\n\xc4\xd7\xc1 %d" % number
    for number in range(1000)
]


def read_each(sources: list[bytes]) -> None:
    for source in sources:
        message = Message(source)
        message["Subject"], message.fields, message.findings
        for part in message.parts:
            part.text, part.octets, part.findings, part.decision, part.children, part.filename


def read_columns(sources: list[bytes]) -> None:
    for _ in mime_charset.read(sources, 2, batch=100):
        pass


def read_with_a_codec(sources: list[bytes]) -> None:
    for source in sources:
        source.decode("unicode-1-1-utf-8", "backslashreplace")


def leak_in_rust(sources: list[bytes]) -> None:
    """Leaks 100 octets per message, as allocated by malloc."""
    malloc = ctypes.CDLL(None).malloc
    malloc.restype, malloc.argtypes = ctypes.c_void_p, [ctypes.c_size_t]
    for _ in sources:
        malloc(100)


LEAKED: list[bytes] = []


def leak_in_python(sources: list[bytes]) -> None:
    LEAKED.extend(bytes(67) for _ in sources)


def growth(work: Callable[[list[bytes]], None], sources: list[bytes], rounds: int) -> tuple[float, float]:
    """Octets and blocks per message, after a first round that builds tables."""
    for _ in range(3):
        work(sources)
    before = held()
    for _ in range(rounds):
        work(sources)
    after = held()
    count = rounds * len(sources)
    return (after[0] - before[0]) / count, (after[1] - before[1]) / count


@pytest.mark.skipif(not has_mallinfo2(), reason="only glibc 2.33 and later tells what is in use")
@pytest.mark.parametrize("work", [read_each, read_columns, read_with_a_codec])
def test_memory_stays_flat(work: Callable[[list[bytes]], None]) -> None:
    """After 100,000 messages less than an octet per message is still allocated, and a block per hundred; after
    some thousand of the corpus less than 20 octets, and a block per five."""
    mime_charset.register_codecs()
    for sources, rounds, most in ((SMALL, 100, 1.0), ([path.read_bytes() for path in MAIL[::5]], 50, 20.0)):
        octets, blocks = growth(work, sources, rounds)
        assert octets < most and blocks < most / 100


@pytest.mark.skipif(not has_mallinfo2(), reason="only glibc 2.33 and later tells what is in use")
def test_a_leak_of_100_octets_is_detected() -> None:
    """Shows that the test above can fail: an object of 67 octets and a header of 33 is one block of Python's."""
    octets, _ = growth(leak_in_rust, SMALL, 5)
    assert octets >= 100
    _, blocks = growth(leak_in_python, SMALL, 5)
    assert blocks >= 0.99
    LEAKED.clear()
