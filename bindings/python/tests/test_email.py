"""Messages of the standard library, with texts from Python's own codecs."""

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


def test_parts_that_are_not_text() -> None:
    image = email.message_from_bytes(b"Content-Type: image/png\n\nx")
    assert mime_charset.email.text(image) is None
    both = email.message_from_bytes(b"Content-Type: multipart/mixed; boundary=b\n\n--b\n\nx\n--b--\n")
    assert mime_charset.email.text(both) is None


def test_the_corpus() -> None:
    """Nothing raises for any message parsed by the standard library."""
    for path in MAIL:
        for policy in (email.policy.compat32, email.policy.default):
            message = email.message_from_bytes(path.read_bytes(), policy=policy)
            for part in message.walk():
                mime_charset.email.text(part)
                for name in ("Subject", "From", "Content-Type"):
                    mime_charset.email.header(part, name)


PLAIN = b"Content-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: "
WHOLE = [
    # RFC 2045, section 6.7: trailing blanks were added, even before a soft line break.
    (PLAIN + b"quoted-printable\n\nWeiter =  \nhier \xc3\xa4.\n", "Weiter hier \u00e4.\n"),
    (PLAIN + b"quoted-printable\n\nM=C3=BC \xc3\xa4 \n", "M\u00fc \u00e4\n"),
    # Section 6.8: octets that are not base64 are skipped.
    (PLAIN + b"base64\n\nw6T\xc3DpA==\n", "\u00e4\u00e4"),
    (PLAIN + b"8bit\n\n\xc3\xa4=41 \n", "\u00e4=41 \n"),
]


@pytest.mark.parametrize(("octets", "expected"), WHOLE)
def test_octets_above_7f_with_a_transfer_encoding(octets: bytes, expected: str) -> None:
    """The text equals the library's text of the whole message."""
    assert mime_charset.Message(octets).root.text == expected
    for policy in (email.policy.compat32, email.policy.default):
        assert mime_charset.email.text(email.message_from_bytes(octets, policy=policy)) == expected


def test_text_with_a_transfer_encoding() -> None:
    fields = "Content-Type: text/plain\nContent-Transfer-Encoding: quoted-printable\n\n"
    for text, expected in (("한국 =41", "한국 A"), ("caf\u00e9 =41 =C3=A9", "caf\u00e9 A \u00e9")):
        assert mime_charset.email.text(email.message_from_string(fields + text)) == expected
    latin = email.message_from_string("Content-Type: text/plain; charset=iso-8859-1\n\ncaf\u00e9")
    assert mime_charset.email.text(latin) == "caf\u00e9"
    image = email.message_from_string("Content-Type: image/svg\n\n한국")
    assert mime_charset.email.text(image) is None


def test_messages_parsed_from_text() -> None:
    """Characters above U+007F that are not octets stay as they are."""
    message = email.message_from_string(f"Subject: {TEXT}\nContent-Type: text/plain\n\n{TEXT}")
    assert mime_charset.email.header(message, "Subject") == TEXT
    assert mime_charset.email.text(message) == TEXT


@pytest.mark.parametrize("policy", [email.policy.compat32, email.policy.default])
def test_surrogates_that_are_not_octets(policy: email.policy.Policy) -> None:
    """They become U+FFFD; U+DC80 to U+DCFF are octets."""
    for lone in ("\ud800", "\udbff", "\udc00", "\udc7f", "\udd00", "\udfff"):
        source = f"Subject: a{lone}\n\nb{lone}"
        message = email.message_from_string(source, policy=policy)
        assert mime_charset.email.header(message, "Subject") == "a\ufffd"
        assert mime_charset.email.text(message) == "b\ufffd"
    mixed = email.message_from_string("Subject: \udcc3\udca9\ud800\n\n\udcc3\udca9\ud800", policy=policy)
    assert mime_charset.email.header(mixed, "Subject") == "\u00e9\ufffd"
    assert mime_charset.email.text(mixed) == "\u00e9\ufffd"
