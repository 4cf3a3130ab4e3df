"""Functions for octets; expected texts are those of Python's own codecs."""

import importlib.metadata

import pytest

import mime_charset


def test_version() -> None:
    assert mime_charset.__version__ == importlib.metadata.version("mime-charset")


def test_decode() -> None:
    text = "\uc11c\uc6b8\uc758 \ub9d1\uc740 \uc544\uce68"
    decoded = mime_charset.decode(text.encode("euc-kr"), "ks_c_5601-1987")
    assert (decoded.text, decoded.charset, decoded.source) == (text, "EUC-KR", "declared")
    assert mime_charset.decode(text.encode("euc-kr"), b"EUC-KR").findings == ()
    # An unknown label is a finding, not an error.
    odd = mime_charset.decode(text.encode(), "nothing-at-all")
    assert odd.text == text and "unknown-label" in {finding.kind for finding in odd.findings}
    # So is a lone surrogate in a label.
    assert mime_charset.decode(text.encode(), "\ud800").text == text


def test_hints_and_trusted_labels() -> None:
    octets = "\u00e9t\u00e9".encode()
    assert mime_charset.decode(octets, "iso-8859-1").text == "\u00e9t\u00e9"
    trusted = mime_charset.decode(octets, "windows-1252", trust_label=True)
    assert trusted.text == octets.decode("windows-1252")
    page = b"<meta charset=koi8-r>" + "\u043c\u0438\u0440".encode("koi8-r")
    assert mime_charset.decode(page, media_type="text/html").text.endswith("\u043c\u0438\u0440")
    with pytest.raises(mime_charset.Error, match='expected a charset label, found "nonsense"'):
        mime_charset.decode(b"x", hint="nonsense")


def test_text_has_no_lone_surrogates() -> None:
    """CESU-8 (Unicode Technical Report 26) and UTF-16 with halves of surrogate pairs."""
    for octets, label in ((b"\xed\xa0\x80", "cesu-8"), (b"\xd8\x00\x00a", "utf-16be"), (b"\xff", "utf-8")):
        mime_charset.decode(octets, label, trust_label=True).text.encode("utf-8")


def test_detect() -> None:
    text = "\u0421\u044a\u0435\u0448\u044c \u0435\u0449\u0451 \u044d\u0442\u0438\u0445 \u0431\u0443\u043b\u043e\u043a"
    for name in ("koi8-r", "windows-1251", "utf-8"):
        guess = mime_charset.detect(text.encode(name))
        assert guess.charset.lower() == name and 0 < guess.confidence <= 100


def test_content_type() -> None:
    """RFC 2231, section 4.1."""
    field = mime_charset.content_type(b"Text/Plain; title*=us-ascii'en'This%20is%20it; charset=x-sjis")
    assert (field.media_type, field.charset) == ("text/plain", "x-sjis")
    assert dict(field.parameters)["title"] == "This is it"


def test_labels() -> None:
    label = mime_charset.labels("x-sjis")
    assert (label.charset, label.mibenum, label.decoded) == ("Shift_JIS", 17, True)
    assert mime_charset.labels("UTF 8").matched == "loose"
    assert mime_charset.labels("no such").charset is None


def test_arguments_of_other_types() -> None:
    with pytest.raises(TypeError, match="^expected str, bytes, bytearray, memoryview or mmap, found int"):
        mime_charset.labels(5)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="^expected bytes, bytearray, memoryview or mmap, found int"):
        mime_charset.detect(5)  # type: ignore[arg-type]


def test_negative_numbers() -> None:
    for call in (
        lambda: mime_charset.read(b"", -1),
        lambda: mime_charset.read(b"", octets=-1),
        lambda: mime_charset.pieces("x", -1),
        lambda: mime_charset.convert("x", "y", threads=-1),
        lambda: mime_charset.Message(b"").preview(-1),
    ):
        with pytest.raises(OverflowError):
            call()


def test_field_and_addresses() -> None:
    assert mime_charset.field(b" =?utf-8?q?=C3=A9?=\n (a =?utf-8?q?=C3=A8?=)", "From").text == "\u00e9 (a \u00e8)"
    (mailbox,) = mime_charset.addresses(b"=?utf-8?q?J=C3=B8rn?= <j@example.org>")
    assert str(mailbox) == "J\u00f8rn <j@example.org>"
