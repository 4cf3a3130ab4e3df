"""register_codecs(): Python's own decoding functions, for charsets that Python lacks."""

import codecs
import email
import email.header
import email.message
import email.mime.text
import email.policy
import io
import resource
import subprocess
import sys
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from conftest import CORPUS
from hypothesis import example, given, settings
from hypothesis import strategies as st

import mime_charset
from mime_charset._native import _Decoder, _labels

mime_charset.register_codecs()

WORD = bytes.fromhex("1B242941 0E 3D3B3B3B 1B242947 4728 5F50 0F")
"""A word in GB 2312 and, designated within the same run, in CNS 11643 (RFC 1922, section 3.2)."""

# Each with its standard.
TEXTS = [
    # RFC 2279, section 5, and the old code points of Unicode 1.1, U+3CA2, U+3476 and U+3971.
    ("unicode-1-1-utf-8", "\u3ca2\u3476\u3971".encode(), "한국어"),
    ("iso-2022-cn", WORD, "交换交換"),
    # RFC 1456: VISCII, table 1, and VIQR, section 2.
    ("viscii", b"Vi\xaet Nam", "Việt Nam"),
    ("viqr", b"Vie^.t Nam", "Việt Nam"),
    # RFC 3501, section 5.1.3.
    ("utf-7-imap", b"~peter/mail/&U,BTFw-/&ZeVnLIqe-", "~peter/mail/台北/日本語"),
    # UTR #26, section 2: U+10000.
    ("cesu-8", bytes.fromhex("4D C3B6 E281AC EDA080EDB080"), "Mö\u206c\U00010000"),
    # UTS #6, section 9.
    ("scsu", bytes.fromhex("129CBEC1BAB2B0"), "Москва"),
    # RFC 1642, section "Examples".
    ("unicode-1-1-utf-7", b"A+ImIDkQ.", "A\u2262\u0391."),
    # RFC 1641: U+0041 and U+3CA2 in network byte order, as the blank shows; RFC 2781, section 4.3:
    # a mark.
    ("unicode-1-1", bytes.fromhex("3CA2 0020 0041"), "한 A"),
    ("iso-10646-ucs-2", bytes.fromhex("FFFE 4100 AC20"), "A€"),
    ("iso-10646-ucs-4", bytes.fromhex("0001F600"), "\U0001f600"),
    # ISO/IEC 8859-8 with RFC 1556.
    ("iso-8859-8-i", b"\xf9\xec\xe5\xed", "שלום"),
]


def pieces(octets: bytes, size: int) -> Iterator[bytes]:
    return (octets[at : at + size] for at in range(0, len(octets), size))


def in_every_way(label: str, octets: bytes) -> set[str]:
    """Whole, incrementally, by a stream and by a file, in pieces of one octet and more."""
    found = {octets.decode(label), str(memoryview(octets), label), codecs.decode(octets, label)}
    for size in (1, 2, 3, 7):
        found.add("".join(codecs.iterdecode(pieces(octets, size), label)))
        found.add(codecs.getreader(label)(io.BytesIO(octets)).read())
        reader = codecs.getreader(label)(io.BytesIO(octets))
        found.add("".join(iter(lambda: reader.read(size), "")))
    with io.TextIOWrapper(io.BytesIO(octets), label, newline="") as file:
        file._CHUNK_SIZE = 1  # type: ignore[attr-defined]
        found.add(file.read())
    return found


@pytest.mark.parametrize(("label", "octets", "text"), TEXTS, ids=[label for label, _, _ in TEXTS])
def test_texts_of_standards(label: str, octets: bytes, text: str) -> None:
    assert in_every_way(label, octets) == {text}


def rows(name: str) -> Iterator[list[str]]:
    for line in (CORPUS / "charset" / f"{name}.tsv").read_text("utf-8").splitlines():
        if line and not line.startswith("#"):
            yield line.split("\t")


def characters(cells: str) -> Iterator[str | None]:
    """Cells such as ``0041..0043 -*2 00E9``; None for a cell without a character."""
    for cell in cells.split():
        one, _, count = cell.partition("*")
        first, _, last = one.partition("..")
        for _ in range(int(count or 1)):
            if one == "-":
                yield None
            else:
                yield from map(chr, range(int(first, 16), int(last or first, 16) + 1))


@pytest.mark.parametrize("name", ["bocu-1", "cesu-8", "scsu", "utf-1"])
def test_unicode_encodings_match_icu(name: str) -> None:
    """UTF-1 by the formulas of ISO-IR 178."""
    texts = [row for row in rows(name) if len(row) == 2 and "FFFD" not in row[1]]
    assert len(texts) >= 5
    for octets, scalars in texts:
        text = "".join(filter(None, characters(scalars)))
        assert in_every_way(name, bytes.fromhex(octets)) == {text}


# For these charsets the programs named there agree on every octet.
@pytest.mark.parametrize("charset", ["ARMSCII-8", "GEORGIAN-PS", "IBM01140", "MIK", "VISCII"])
def test_single_octets_match_glibc(charset: str) -> None:
    (cells,) = [row[4] for row in rows("single-byte") if row[0] == charset and "glibc" in row[1]]
    table = list(characters(cells))
    assert len(table) == 256
    for octet, character in enumerate(table):
        if character is not None:
            assert bytes([octet]).decode(charset) == character
        else:
            with pytest.raises(UnicodeDecodeError) as caught:
                b"".join([b" ", bytes([octet]), b" "]).decode(charset)
            assert (caught.value.start, caught.value.end) == (1, 2)


def test_every_label_has_a_codec() -> None:
    """And the codec's name finds the same codec."""
    found = {label: codecs.lookup(label) for label, _ in _labels()}
    assert len(found) > 1000
    for label, charset in _labels():
        assert codecs.lookup(found[label].name).name == found[label].name, label
    assert codecs.lookup("csviscii").name == codecs.lookup("VISCII1.1-1").name == codecs.lookup("viscii").name
    with pytest.raises(LookupError):
        codecs.lookup("no-such-charset")


SEEN: list[UnicodeDecodeError] = []


def notes(error: UnicodeError) -> tuple[str, int]:
    """Continues alternately within the malformed octets and further after them."""
    assert isinstance(error, UnicodeDecodeError)
    SEEN.append(UnicodeDecodeError(error.encoding, error.object, error.start, error.end, error.reason))
    turn = len(SEEN) % 3
    position = (error.end, error.start + 1, min(error.end + 1, len(error.object)))[turn]
    # Negative positions count from the end.
    from_end = position - len(error.object)
    return f"<{error.object[error.start : position].hex()}>", from_end if turn == 0 and from_end else position


codecs.register_error("mime-charset-notes", notes)
HANDLERS = ["strict", "replace", "ignore", "backslashreplace", "surrogateescape", "mime-charset-notes"]


def outcome(decode: Callable[[], str]) -> tuple[object, ...]:
    SEEN.clear()
    result: tuple[object, ...]
    try:
        result = ("text", decode())
    except UnicodeDecodeError as error:
        result = ("error", error.object, error.start, error.end)
    return result, [(it.object, it.start, it.end) for it in SEEN]


def ours(label: str, octets: bytes, errors: str, size: int = 0) -> str:
    """Decodes with this library's decoder of a charset that Python has too."""
    decoder = _Decoder(label, label)
    if not size:
        return decoder.decode(octets, errors, True)
    return "".join(decoder.decode(it, errors, False) for it in pieces(octets, size)) + decoder.decode(b"", errors, True)


MALFORMED = st.lists(
    st.one_of(
        st.binary(max_size=4),
        st.text(max_size=4).map(lambda text: text.encode("utf-8", "surrogatepass")),
        st.sampled_from([b"\xef\xbf\xbd", b"\xe1\x80", b"\xf0\x9f\x98", b"\xc3\xa9", b"a" * 100]),
    ),
    max_size=12,
).map(b"".join)


@settings(max_examples=800, deadline=None, derandomize=True)
@given(MALFORMED, st.sampled_from(HANDLERS))
def test_error_handlers_are_called_as_in_python(octets: bytes, errors: str) -> None:
    """CPython's UTF-8 rejects the same subsequences (Unicode Standard, section 3.9)."""
    expected = outcome(partial(octets.decode, "utf-8", errors))
    assert outcome(partial(ours, "utf-8", octets, errors)) == expected


@settings(max_examples=300, deadline=None, derandomize=True)
@given(st.binary(max_size=40), st.sampled_from(["strict", "replace", "ignore", "backslashreplace"]))
def test_lone_surrogates_are_reported_as_in_python(octets: bytes, errors: str) -> None:
    octets = octets[: len(octets) // 2 * 2]
    for label in ("utf-16be", "utf-16le"):
        expected = outcome(partial(octets.decode, label, errors))
        assert outcome(partial(ours, label, octets, errors)) == expected


ODD = st.lists(
    st.one_of(
        st.binary(max_size=4),
        st.sampled_from([b"\x1b$)A\x0e", b"\x1b$)G", b"\x1b(B", b"\x0f", b"\n", b"=;;;", b"~{", b"+", b"&", b"&AMk-"]),
        st.sampled_from([b"\x81\x40", b"\xc7\xd1", b"e^.", b"\xef\xd2", b"\xff\xfe", b"\xd8\0", b"\xff\xfd", b"ab " * 30]),
    ),
    max_size=12,
).map(b"".join)
"""Escapes, shifts and characters of many charsets, and malformed octets."""

CHARSETS = st.sampled_from(sorted({charset for _, charset in _labels()}))


@settings(max_examples=400, deadline=None, derandomize=True)
@given(
    ODD,
    CHARSETS,
    st.sampled_from(["replace", "ignore", "backslashreplace"]),
    st.integers(1, 3),
)
def test_pieces_decode_like_the_whole(octets: bytes, charset: str, errors: str, size: int) -> None:
    """For every charset. ``replace`` gives the same text as the library without a handler."""
    whole = ours(charset, octets, errors)
    assert ours(charset, octets, errors, size) == whole
    decoder = _Decoder(charset, charset)
    text = ""
    for piece in pieces(octets, size):
        # Another decoder continues from the state of the previous one.
        other = _Decoder(charset, charset)
        other.setstate(decoder.getstate())
        here, there = decoder.decode(piece, errors, False), other.decode(piece, errors, False)
        assert here == there and decoder.getstate() == other.getstate()
        text += here
        decoder = other
    assert text + decoder.decode(b"", errors, True) == whole


@settings(max_examples=400, deadline=None, derandomize=True)
@given(ODD, CHARSETS, st.integers(0, 3))
# Three octets have a character and two bits of the next, which the fourth makes malformed (RFC
# 3501, section 5.1.3).
@example(b"&A+AA", "UTF-7-IMAP", 1)
@example(b"+ggg+", "UNICODE-1-1-UTF-7", 1)
def test_a_handler_may_continue_anywhere(octets: bytes, charset: str, size: int) -> None:
    """The handler is only asked about octets that exist."""
    seen = []

    def next_octet(error: UnicodeError) -> tuple[str, int]:
        assert isinstance(error, UnicodeDecodeError)
        seen.append((error.start, error.end, len(error.object)))
        return "", error.start + 1

    codecs.register_error("mime-charset-next-octet", next_octet)
    for errors in ("mime-charset-next-octet", "mime-charset-notes"):
        SEEN.clear()
        ours(charset, octets, errors, size)
        seen += [(error.start, error.end, len(error.object)) for error in SEEN]
    assert all(0 <= start < end <= length for start, end, length in seen)


def test_strict_reports_position_and_reason() -> None:
    # A syllable, an invalid octet, a letter.
    octets = "\u3ca2".encode() + b"\xff" + b"a"
    with pytest.raises(UnicodeDecodeError) as caught:
        octets.decode("unicode-1-1-utf-8")
    error = caught.value
    assert (error.encoding, error.object, error.start, error.end) == ("unicode-1-1-utf-8", octets, 3, 4)
    assert error.reason == "octet that never occurs"
    # The error leaves the decoder in the state before it.
    decoder = codecs.getincrementaldecoder("iso-2022-cn")()
    assert decoder.decode(WORD[:7]) == "交"
    with pytest.raises(UnicodeDecodeError):
        decoder.decode(b"\x3b\xff")
    assert decoder.decode(WORD[7:], True) == "换交換"


def test_a_truncated_text() -> None:
    decoder = codecs.getincrementaldecoder("iso-2022-cn")()
    assert decoder.decode(WORD[:8]) == "交"
    assert decoder.getstate()[0] == WORD[7:8]
    with pytest.raises(UnicodeDecodeError) as caught:
        decoder.decode(b"", True)
    assert (caught.value.object, caught.value.start, caught.value.end) == (WORD[7:8], 0, 1)
    reader = codecs.getreader("iso-2022-cn")(io.BytesIO(WORD[:8]), "replace")
    assert reader.read() == "交\ufffd"
    reader = codecs.getreader("iso-2022-cn")(io.BytesIO(WORD[:8]), "replace")
    assert "".join(iter(lambda: reader.read(1), "")) == "交\ufffd"


def test_invalid_handlers() -> None:
    """The errors are those of Python's own codecs (PEP 293)."""

    def answers(name: str, answer: Any) -> None:
        codecs.register_error(name, lambda error: answer)

    answers("mime-charset-no-pair", "text")
    answers("mime-charset-no-text", (b"", 1))
    answers("mime-charset-too-far", ("", 9))
    answers("mime-charset-too-near", ("", -9))
    for label in ("utf-8", "unicode-1-1-utf-8"):
        for name in ("mime-charset-no-pair", "mime-charset-no-text"):
            with pytest.raises(TypeError):
                b"\xff".decode(label, name)
        for name in ("mime-charset-too-far", "mime-charset-too-near"):
            with pytest.raises(IndexError):
                b"\xff".decode(label, name)
        with pytest.raises(LookupError, match="no-such-handler"):
            b"\xff".decode(label, "no-such-handler")
    assert b"\xffa".decode("unicode-1-1-utf-8", "surrogateescape") == "\udcffa"
    with pytest.raises(TypeError):
        codecs.lookup("viscii").decode("text")  # type: ignore[arg-type]


def test_octet_order_that_is_decided_late() -> None:
    """The first 4,096 octets determine it; half of a surrogate pair among them is malformed."""
    octets = ("a\n" * 1000).encode("utf-16-le") + b"\x00\xd8" + ("b " * 2000).encode("utf-16-le")
    for errors, instead in (("ignore", ""), ("backslashreplace", r"\x00\xd8")):
        expected = "a\n" * 1000 + instead + "b " * 2000
        assert octets.decode("iso-10646-ucs-2", errors) == expected
        assert "".join(codecs.iterdecode(pieces(octets, 1), "iso-10646-ucs-2", errors)) == expected
    with pytest.raises(UnicodeDecodeError) as caught:
        octets.decode("iso-10646-ucs-2")
    assert (caught.value.start, caught.value.end) == (4000, 4002)
    # A handler that continues at the next octet reverses the order: D8 62, 00 20, ...
    codecs.register_error("mime-charset-next", lambda error: ("?", getattr(error, "start") + 1))
    found = octets[:4008].decode("iso-10646-ucs-2", "mime-charset-next")
    assert found == "a\n" * 1000 + "?" + octets[4001:4008].decode("utf-16-le", "mime-charset-next")


def test_seeking_in_files(tmp_path: Path) -> None:
    """``seek`` accepts the decoder states returned by ``tell``."""
    path = tmp_path / "text"
    # Each line repeats the designation (RFC 1922, section 3.2).
    line = b"\x1b$)A\x0e=;;;\x0f a\n"
    path.write_bytes(line * 300)
    with open(path, encoding="iso-2022-cn") as file:
        places = [(file.tell(), file.readline()) for _ in range(5)]
        rest = file.read()
        assert {text for _, text in places} == {"交换 a\n"} and rest == "交换 a\n" * 295
        for place, text in reversed(places):
            file.seek(place)
            assert file.readline() == text
    # Another file object continues there too.
    with open(path, encoding="iso-2022-cn") as file:
        file.seek(places[3][0])
        assert file.readline() == "交换 a\n"
    with codecs.open(str(path), encoding="iso-2022-cn") as stream:
        assert stream.readline() == "交换 a\n"
        assert list(stream) == ["交换 a\n"] * 299
        stream.seek(0)
        assert stream.read() == "交换 a\n" * 300


@pytest.mark.parametrize("label", ["viscii", "JIS_X0201", "IBM01140", "viqr", "unicode-1-1-utf-8", "scsu"])
def test_positions_returned_by_tell(label: str, tmp_path: Path) -> None:
    """For a text with the same octets in all of them, except in EBCDIC."""
    line = "line\n" * 3000
    path = tmp_path / "text"
    path.write_bytes(line.replace("\n", "\x85").encode("cp037") if label == "IBM01140" else line.encode())
    with open(path, encoding=label, newline="" if label == "IBM01140" else None) as file:
        file.read(7000)
        place = file.tell()
        expected = file.read()
        file.seek(place)
        assert file.read() == expected
        assert len(expected) == 8000


def test_states() -> None:
    decoder = codecs.getincrementaldecoder("iso-2022-cn")()
    assert decoder.getstate() == (b"", 0)
    assert decoder.decode(WORD[:6]) == ""
    state = decoder.getstate()
    assert decoder.decode(WORD[6:], True) == "交换交換"
    decoder.setstate(state)
    assert decoder.decode(WORD[6:], True) == "交换交換"
    decoder.setstate(state)
    decoder.reset()
    assert decoder.decode(b"=;", True) == "=;"
    with pytest.raises(mime_charset.Error, match=r"expected a state of getstate\(\) of iso-2022-cn, found 3160320"):
        decoder.setstate((b"", 12345 << 8))
    assert state[1] > 0
    for label in ("viscii", "utf-7-imap", "iso-10646-ucs-2"):
        with pytest.raises(mime_charset.Error, match="getstate"):
            codecs.getincrementaldecoder(label)().setstate(state)


def test_states_are_small_numbers() -> None:
    """TextIOWrapper takes 30 bits, and single octets leave no state."""
    for label, charset in _labels():
        decoder = _Decoder(label, label)
        decoder.decode(b"a b\n", "replace", False)
        assert decoder.getstate()[1] < 1 << 30, label
    decoder = _Decoder("viscii", "viscii")
    assert decoder.decode(b"Vi\xaet", "strict", False) == "Việt" and decoder.getstate() == (b"", 0)
    # UTS #6, tables 3 and 5: each of the eight windows is moved, and all are read through others.
    decoder = _Decoder("scsu", "scsu")
    octets = b"".join(bytes([0x18 + place, 0x10 + place, 0x80]) for place in range(8))
    text = "".join(chr(0x80 * (0x10 + place)) for place in range(8))
    assert decoder.decode(octets, "strict", False) == text
    other = _Decoder("scsu", "scsu")
    other.setstate(decoder.getstate())
    again = b"".join(bytes([0x10 + place, 0x81]) for place in range(8))
    assert other.decode(again, "strict", True) == "".join(chr(ord(it) + 1) for it in text)


def test_streams_keep_no_text_in_memory() -> None:
    size = 1 << 16
    reader = codecs.getreader("iso-2022-cn")(io.BytesIO(b"a" * size * 64))
    incremental = codecs.getincrementaldecoder("iso-2022-cn")()

    def resident() -> int:
        pages = int(Path("/proc/self/statm").read_text().split()[1])
        return pages * resource.getpagesize()

    reader.read(size)
    before = resident()
    while reader.read(size):
        incremental.decode(b"a" * size)
        incremental.getstate()
    # Each state with its text would be 8 MiB.
    assert resident() - before < 2 << 20


def test_messages_of_the_standard_library() -> None:
    """Subject, file name (RFC 2231) and text, with both interfaces."""
    octets = (
        b"Subject: =?iso-2022-cn?b?GyQpQQ49Ozs7Dw==?= =?viscii?q?Vi=AEt?=\n"
        b"Content-Type: text/plain; charset=unicode-1-1-utf-8\n"
        b"Content-Disposition: attachment; filename*=viscii''Vi%AEt\n"
        b"Content-Transfer-Encoding: 8bit\n\n" + "\u3ca2\u3476".encode() + b"\xff\n"
    )
    new = email.message_from_bytes(octets, policy=email.policy.default)
    assert isinstance(new, email.message.EmailMessage)
    assert new["Subject"] == "交换Việt"
    assert new.get_content() == "한국\ufffd\n"
    assert new.get_filename() == "Việt"
    old = email.message_from_bytes(octets)
    subject = email.header.make_header(email.header.decode_header(old["Subject"]))
    assert str(subject) == "交换Việt"
    # Written again in UTF-8, which the standard library decodes without these codecs.
    assert {charset for _, charset in email.header.decode_header(subject.encode())} == {"utf-8"}
    assert old.get_payload() == "한국\ufffd\n"


@pytest.mark.parametrize("label", ["viscii", "iso-2022-cn", "unicode-1-1-utf-8", "utf-7-imap"])
def test_mail_written_by_the_standard_library(label: str) -> None:
    """Either correct mail, which it reads without these codecs, or an error."""
    for text in ("abc", "a=b", "a" * 80 + " =41\n"):
        given = email.message.Message()
        given.set_payload(text, label)
        for message in (email.mime.text.MIMEText(text, "plain", label), given):
            assert message["Content-Transfer-Encoding"] == "7bit"
            read = email.message_from_bytes(message.as_bytes(), policy=email.policy.default)
            assert isinstance(read, email.message.EmailMessage)
            assert read.get_content() == text and read.get_content_charset() == "utf-8"
    for text in ("Việt", "한국"):
        with pytest.raises(UnicodeEncodeError):
            email.mime.text.MIMEText(text, "plain", label)
        with pytest.raises(UnicodeEncodeError):
            email.message.Message().set_payload(text, label)
        header = email.header.Header(text * 40, label).encode()
        assert {charset for _, charset in email.header.decode_header(header)} == {"utf-8"}
        assert str(email.header.make_header(email.header.decode_header(header))) == text * 40
    if label in ("viscii", "iso-2022-cn"):
        with pytest.raises(UnicodeEncodeError):
            email.message.EmailMessage().set_content("abc", charset=label)


def test_charsets_without_an_encoder() -> None:
    for label in ("viscii", "iso-2022-cn", "unicode-1-1-utf-8"):
        with pytest.raises(UnicodeEncodeError, match="mime_charset reads this charset and does not write it"):
            "Việt".encode(label)
        with pytest.raises(UnicodeEncodeError):
            codecs.getincrementalencoder(label)().encode("a")
        with pytest.raises(UnicodeEncodeError):
            codecs.getwriter(label)(io.BytesIO()).write("a")


def test_charsets_with_an_encoder() -> None:
    """The names of mailboxes (RFC 3501, section 5.1.3), and UTF-8 under any label."""
    text, octets = "~peter/mail/台北/日本語 R&D", b"~peter/mail/&U,BTFw-/&ZeVnLIqe- R&-D"
    assert text.encode("utf-7-imap") == octets
    # UTF-16 of the two syllables is D55C AD6D, and base64 of that 1VytbQ.
    assert "한국 INBOX".encode("utf-7-imap") == b"&1VytbQ- INBOX"
    assert text.encode("unicode-2-0-utf-8") == text.encode()


def test_empty_text_is_encoded_as_nothing() -> None:
    for label in ("viscii", "iso-2022-cn", "utf-7-imap"):
        assert "".encode(label) == b"".join(codecs.iterencode([""], label)) == b""
        stream = io.BytesIO()
        codecs.getwriter(label)(stream).write("")
        assert stream.getvalue() == b""


def test_lone_surrogates() -> None:
    """As in Python's UTF-8, except for handlers that return octets, which cannot be part of a name."""
    for errors in ("strict", "surrogateescape", "surrogatepass"):
        for text in ("a\udcff", "\ud800", "\udcc3\udca9"):
            with pytest.raises(UnicodeEncodeError, match="'utf-7-imap' codec can't encode"):
                text.encode("utf-7-imap", errors)
    for errors in ("ignore", "replace", "backslashreplace", "xmlcharrefreplace"):
        assert "a\ud800\udcffb".encode("utf-7-imap", errors).replace(b"&-", b"&") == "a\ud800\udcffb".encode(
            "utf-8", errors
        )


def test_a_mailbox_name_cannot_be_streamed(tmp_path: Path) -> None:
    """Encoded separately, its pieces would have adjacent base64 runs (RFC 3501, section 5.1.3)."""
    whole = "the name of a mailbox is encoded whole: use str.encode"
    path = tmp_path / "name"
    with open(path, "w", encoding="utf-7-imap") as file, pytest.raises(UnicodeEncodeError, match=whole):
        file.write("한국 INBOX")
    with codecs.open(str(path), "w", encoding="utf-7-imap") as stream:
        with pytest.raises(UnicodeEncodeError, match=whole):
            stream.write("한")
    encoder = codecs.getincrementalencoder("utf-7-imap")()
    state = encoder.getstate()
    for final in (False, True):
        with pytest.raises(UnicodeEncodeError, match=whole):
            encoder.encode("국", final)
    encoder.setstate(state)
    with io.TextIOWrapper(io.BytesIO(b"&1VytbQ- INBOX"), "utf-7-imap") as file:
        assert file.read() == "한국 INBOX"


def run(program: str) -> str:
    """Runs in its own process, because each process has one codec registry."""
    done = subprocess.run([sys.executable, "-X", "utf8", "-c", program], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_python_codecs_are_kept() -> None:
    program = """
import codecs, encodings.aliases, mime_charset
def lookup(name):
    try:
        return codecs.lookup(name).decode
    except LookupError:
        return None
names = {*encodings.aliases.aliases, *encodings.aliases.aliases.values()}
before = {name: found for name in names if (found := lookup(name))}
mime_charset.register_codecs()
codecs.register(str)
codecs.unregister(str)  # What was looked up is forgotten.
print(len(before), [name for name in before if lookup(name) is not before[name]])
"""
    count, rest = run(program).split(" ", 1)
    assert int(count) > 300 and rest.strip() == "[]"


def test_replaced_names() -> None:
    """8C 63 is a syllable of Unified Hangul Code, which Python's EUC-KR lacks and its CP949 has."""
    program = r"""
import codecs, mime_charset
before = codecs.lookup("euc-kr"), codecs.lookup("euckr"), codecs.lookup("johab")
others = []
codecs.register(lambda name: others.append(name))
for _ in range(2):
    mime_charset.register_codecs(replace=["EUC-KR"])
    assert b"\x8cc".decode("euc_kr") == b"\x8cc".decode("EUC KR") == b"\x8cc".decode("cp949")
after = codecs.lookup("euc-kr")
assert after.name == "euc-kr" and after.decode is not before[0].decode
assert codecs.lookup("euckr").decode is before[1].decode and codecs.lookup("johab").decode is before[2].decode
assert "\ud55c".encode("euc-kr") == b"\xc7\xd1" and after.encode is before[0].encode
assert b"".join(codecs.iterencode("\ud55c", "euc-kr")) == b"\xc7\xd1"
mime_charset.register_codecs(replace=["johab"])
assert codecs.lookup("johab").decode is not before[2].decode and codecs.lookup("euc-kr").decode is not before[0].decode
assert b"Vi\xaet".decode("viscii") == "Vi\u1ec7t"
"""
    assert run(program) == ""


def test_names_that_cannot_be_replaced() -> None:
    """Names that bytes.decode does not look up, as shown by a codec that always raises."""
    program = """
import codecs, encodings, mime_charset
names = ["ascii", "us-ascii", "latin-1", "latin1", "iso-8859-1", "utf-8", "utf8", "utf-16", "utf-32"]
for name in names:
    try:
        mime_charset.register_codecs(replace=[name])
    except mime_charset.Error as error:
        assert "expected a name that Python looks up" in str(error)
    else:
        raise AssertionError(name)
def never(name):
    raise RuntimeError(name)
codecs.register(never), codecs.unregister(encodings.search_function)
print([bytes(4).decode(name) == "\\0" * len(bytes(4).decode(name)) for name in names])
try:
    b"a".decode("euc-kr")
except RuntimeError:
    print("looked up")
"""
    assert run(program).splitlines() == [str([True] * 9), "looked up"]
    with pytest.raises(mime_charset.Error, match="expected the label of a charset, found 'no-such'"):
        mime_charset.register_codecs(replace=["no-such"])
