"""Messages of the standard library, with texts of Python's own codecs."""

import email
import email.policy

import pytest
from conftest import MAIL

import mime_charset

TEXT = "\u041c\u0438\u0440 \u0432\u0430\u043c"


@pytest.mark.parametrize("policy", [email.policy.compat32, email.policy.default, email.policy.SMTP])
@pytest.mark.parametrize("encoding", ["base64", "8bit", "quoted-printable"])
def test_text(policy: email.policy.Policy, encoding: str) -> None:
    octets = TEXT.encode("koi8-r")
    if encoding == "base64":
        import base64

        octets = base64.encodebytes(octets)
    elif encoding == "quoted-printable":
        import quopri

        octets = quopri.encodestring(octets)
    source = b"Content-Type: text/plain;\n charset=x-koi8-r\nContent-Transfer-Encoding: " + encoding.encode()
    message = email.message_from_bytes(source + b"\n\n" + octets, policy=policy)
    text = mime_charset.email.text(message)
    assert text is not None and text.strip() == TEXT


@pytest.mark.parametrize("policy", [email.policy.compat32, email.policy.default])
def test_header(policy: email.policy.Policy) -> None:
    raw = b"Subject: " + TEXT.encode("utf-8") + b"\nX: =?ks_c_5601-1987?B?x9Gxub7u?=\n\n"
    message = email.message_from_bytes(raw, policy=policy)
    assert mime_charset.email.header(message, "subject") == TEXT
    assert mime_charset.email.header(message, "X") == "\ud55c\uad6d\uc5b4"
    assert mime_charset.email.header(message, "Date") is None
    assert mime_charset.email.header(message, "Date", "none") == "none"


def test_what_is_no_text() -> None:
    image = email.message_from_bytes(b"Content-Type: image/png\n\nx")
    assert mime_charset.email.text(image) is None
    both = email.message_from_bytes(b"Content-Type: multipart/mixed; boundary=b\n\n--b\n\nx\n--b--\n")
    assert mime_charset.email.text(both) is None


def test_the_corpus() -> None:
    """Nothing raises, whatever the standard library made of the message."""
    for path in MAIL:
        for policy in (email.policy.compat32, email.policy.default):
            message = email.message_from_bytes(path.read_bytes(), policy=policy)
            for part in message.walk():
                mime_charset.email.text(part)
                for name in ("Subject", "From", "Content-Type"):
                    mime_charset.email.header(part, name)


def test_messages_out_of_text() -> None:
    """Characters above U+007F that are no octets stand for themselves."""
    message = email.message_from_string(f"Subject: {TEXT}\nContent-Type: text/plain\n\n{TEXT}")
    assert mime_charset.email.header(message, "Subject") == TEXT
    assert mime_charset.email.text(message) == TEXT
