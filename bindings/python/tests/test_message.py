"""Message and Part: texts, structure, values, buffers."""

import copy
import email.utils
import mmap
import pickle
import threading
from datetime import UTC
from pathlib import Path

import pytest
from conftest import CORPUS, MAIL

import mime_charset
from mime_charset import Finding, Group, Mailbox, Message

NESTED = (
    b"Subject: =?utf-8?q?=E2=98=83?=\n"
    b"To: G: a@example.org, B <b@example.org>;\n"
    b"Received: by b\nReceived: by a\n"
    b"Content-Type: multipart/mixed; boundary=m\n\n"
    b"--m\nContent-Type: multipart/alternative; boundary=a\n\n"
    b"--a\n\nplain\n"
    b"--a\nContent-Type: text/html\n\n<p>page</p>\n"
    b"--a--\n"
    b"--m\nContent-Type: application/octet-stream\nContent-Transfer-Encoding: base64\n"
    b"Content-Disposition: attachment; filename*=utf-8''%C3%A9.bin\n\nAAEC\n"
    b"--m\nContent-Type: message/rfc822\n\nSubject: inner\n\ninner text\n"
    b"--m--\n"
)


def test_fields() -> None:
    message = Message(NESTED)
    assert message["subject"] == "\u2603"
    assert message["Date"] is None
    assert message.get("Date", "none") == "none"
    assert message.get_all("RECEIVED") == ["by b", "by a"]
    assert "To" in message and "Cc" not in message
    assert [field.name for field in message.fields[:2]] == ["Subject", "To"]
    subject = message.fields[0]
    assert subject.text == "\u2603" and subject.range == (0, 31)
    # RFC 2047: the word begins after "Subject: ".
    assert [(use.offset, use.charset) for use in subject.charsets] == [(9, "UTF-8")]
    assert message["Subject"] is message["Subject"]


@pytest.mark.parametrize(
    "written",
    [
        # RFC 5322, appendix A.1.1 and A.6.2, and sections 3.3 and 4.3 on zones.
        "Fri, 21 Nov 1997 09:55:06 -0600",
        "21 Nov 97 09:55:06 GMT",
        "Thu, 13 Feb 1969 23:32:54 -0330",
        "Fri, 21 Nov 1997 09:55:06 +0000",
        "Fri, 21 Nov 1997 09:55:06 -0000",
        "Fri, 21 Nov 1997 09:55:06",
    ],
)
def test_dates_match_the_standard_library(written: str) -> None:
    """Including naive ones, which do not compare with the others."""
    message = Message(f"Received: by a; {written}\nDate: {written}\n\n".encode())
    expected = email.utils.parsedate_to_datetime(written)
    for date in (message.date, message.received_date):
        assert date is not None and date == expected and date.utcoffset() == expected.utcoffset()
    value = mime_charset.date(written.encode())
    assert value is not None and value.time == expected
    utc = expected.replace(tzinfo=UTC) if expected.tzinfo is None else expected
    assert value.unix_seconds == utc.timestamp()


def test_no_date_is_none() -> None:
    message = Message(b"Received: by a\nDate: 31 Feb 1999 10:00:00 +0000\n\n")
    assert message.date is None and message.received_date is None
    assert Message(b"\n").date is None
    # A leap second, which Python lacks.
    leap = mime_charset.date(b"31 Dec 2016 23:59:60 +0000")
    assert leap is not None and leap.time.second == 59 and leap.text == "2016-12-31T23:59:60+00:00"


def test_names_of_fields() -> None:
    """More names than are cached for the next message, and long ones."""
    names = [b"X-%d" % number for number in range(2000)] + [b"X" * 31, b"X" * 32, b"X" * 33, b"X" * 900]
    octets = b"".join(name + b": x\n" for name in names)
    for _ in range(2):
        fields = Message(octets).fields
        assert [field.name for field in fields] == [name.decode() for name in names]
        (batch,) = mime_charset.read(octets, columns=["fields"])
        assert batch["fields"][0] == [(field.name, "x") for field in fields]


def test_ranges_of_fields() -> None:
    """Each field begins where the previous one ends, except for lines between them that are not fields."""
    octets = b"A: 1\nno field at all\nB: 2\n 2\nC: 3\n\n"
    fields = Message(octets).fields
    assert [field.name for field in fields] == ["A", "B", "C"]
    for field in fields:
        assert field.range is not None
        assert octets[slice(*field.range)] == b"%s:%s\n" % (field.name.encode(), field.body)


def test_a_text_is_decoded_once() -> None:
    """Whether one field or all of them are requested first."""
    message = Message(NESTED)
    assert message["Subject"] is message["Subject"]
    assert [field.text for field in message.fields[2:4]] == message.get_all("Received")
    message = Message(NESTED)
    assert message.fields[0].text is message["Subject"]
    assert [field.text for field in message.fields[2:4]] == message.get_all("Received")
    assert message.parts[-1]["Subject"] == "inner"


def test_uuencoded_files() -> None:
    """Their positions count characters of the text, and octets of it in UTF-8."""
    octets = b"Content-Type: text/plain; charset=koi8-r\n\n\xf0\xd2\n" + b"begin 644 a\n#0V%T\n`\nend\n" * 2
    part = Message(octets).parts[0]
    assert part.text is not None
    first, second = part.uuencoded
    assert (first.name, first.octets, first.findings) == ("a", b"Cat", ())
    assert part.text[slice(*first.range)] == part.text[slice(*second.range)] == "begin 644 a\n#0V%T\n`\nend\n"
    # Two letters of two octets each, and a line ending; a file of 24.
    assert (first.offset, second.offset, second.length) == (5, 29, 24)
    assert pickle.loads(pickle.dumps(first)) == first
    encoded = b"Content-Transfer-Encoding: x-uuencode\n\nbegin 644 a\n#0V%T\n`\nend\n"
    part = Message(encoded).parts[0]
    assert (part.text, part.uuencoded, part.transfer_encoding) == ("Cat", (), "x-uuencode")


def test_addresses() -> None:
    """RFC 5322, section 3.4."""
    (group,) = Message(NESTED).addresses("To")
    assert isinstance(group, Group) and group.name == "G"
    assert group.mailboxes == (
        Mailbox("", "a@example.org", b"a@example.org"),
        Mailbox("B", "b@example.org", b"b@example.org"),
    )
    assert str(group) == "G: a@example.org, B <b@example.org>;"


def test_parts() -> None:
    """Sections as in RFC 9051, section 6.4.5.1; lists as in RFC 8621, section 4.1.4."""
    message = Message(NESTED)
    assert [part.section for part in message.parts] == ["1.1", "1.2", "2", "3", "3.1"]
    assert [part.section for part in message.entities] == ["TEXT", "1", "1.1", "1.2", "2", "3", "3.1"]
    assert [part.section for part in message.text_parts] == ["1.1"]
    assert [part.section for part in message.html_parts] == ["1.2"]
    assert [part.section for part in message.attachments] == ["2", "3"]
    assert message.best_text() == "plain" and message.best_text("html") == "page"
    assert message.html_parts[0].text == "<p>page</p>" and message.html_parts[0].reading_text == "page"
    assert message.preview(3) == "pla" and message.preview() == "plain"
    attached = message.part("2")
    assert attached is not None
    assert (attached.filename, attached.octets, attached.text) == ("\u00e9.bin", b"\0\1\2", None)
    assert (attached.charset, attached.source, attached.decision) == (None, None, None)
    assert attached.disposition == "attachment" and attached.transfer_encoding == "base64"
    assert message.part("4") is None
    assert message.parts[0].text is message.parts[0].text
    assert message.parts[0].octets is message.parts[0].octets


def test_parents_and_children_agree() -> None:
    message = Message(NESTED)
    for part in message.entities:
        assert message.part(part.section) == part
        for child in part.children:
            assert child.parent == part
    assert message.root.parent is None
    inner = message.part("3")
    assert inner is not None and inner.is_message
    assert inner.children[0]["Subject"] == "inner"
    assert inner.children[0].text is not None and inner.children[0].text.strip() == "inner text"
    assert len({*message.entities, *message.entities}) == 7
    assert message.root != Message(NESTED).root


def test_reading_text() -> None:
    """RFC 3676, section 4.1: with DelSp the blank before a line break is deleted."""
    flowed = "Content-Type: text/plain; format=flowed; delsp=yes; charset=utf-8\n\n長い \n段落\n"
    message = Message(flowed.encode())
    assert message.best_text() == "長い段落\n" and message.parts[0].text == "長い \n段落\n"
    long = Message(b"Content-Type: text/html\n\n" + b"<p>word</p>" * 100_000)
    assert long.preview(9) == "word word"
    assert long.best_text() == "\n\n".join(["word"] * 100_000)


def test_no_text_is_none() -> None:
    image = Message(b"Content-Type: image/png\n\nx")
    assert image.best_text() is None and image.preview() == "" and image.root.reading_text is None
    with pytest.raises(mime_charset.Error, match="markdown"):
        Message(b"").best_text("markdown")  # type: ignore[arg-type]


@pytest.mark.parametrize("media_type", [b"image/png", b"text/plain"])
def test_findings_about_octets_have_offsets_in_the_message(media_type: bytes) -> None:
    """RFC 2045, section 6.8: an exclamation mark is not base64."""
    octets = b"Content-Type: %s\nContent-Transfer-Encoding: base64\n\nQUJD!REVG\n" % media_type
    (batch,) = mime_charset.read(octets, columns=["parts.findings"])
    for findings in (Message(octets).parts[0].findings, batch["parts"][0][0]["findings"]):
        assert [(it.kind, it.within, it.offset) for it in findings if it.kind == "base64-skipped"] == [
            ("base64-skipped", "source", octets.index(b"!"))
        ]


def test_values_are_plain() -> None:
    message = Message(b"Content-Type: text/plain; charset=iso-8859-1\n\ncaf\xc3\xa9")
    part = message.parts[0]
    # Octets above 7F without a transfer encoding come first (RFC 2045, section 2.8).
    finding = part.findings[1]
    assert isinstance(finding, Finding) and finding.kind == "label-overridden"
    assert "\n" not in repr(finding) and repr(finding).startswith("Finding(kind='label-overridden'")
    with pytest.raises(AttributeError):
        finding.kind = "x"  # type: ignore[misc]
    assert part.decision is not None
    for value in (finding, part.decision, message.fields[0], mime_charset.detect(b"x")):
        assert pickle.loads(pickle.dumps(value)) == value
        assert hash(value) == hash(pickle.loads(pickle.dumps(value))) == hash(tuple(value))
        assert value == tuple(value) == type(value)(*value)
    again = pickle.loads(pickle.dumps(message))
    assert again.source == message.source and again.best_text() == "caf\u00e9"
    assert repr(part) == "<Part 1 text/plain, 5 octets>"
    assert repr(message) == "<Message 51 octets, parts: 1>"


def test_copies_and_pickles_have_the_place(tmp_path: Path) -> None:
    """Flags of a Maildir are part of the name of its file."""
    folder = tmp_path / "box" / "cur"
    folder.mkdir(parents=True)
    (folder / "1:2,S").write_bytes(b"Subject: x\n\n")
    archive = CORPUS / "archive"
    paths = [tmp_path / "box", archive / "tree.zip", archive / "mboxrd.mbox"]
    messages = [message for path in paths for message in mime_charset.messages(path)]
    messages += mime_charset.messages(mime_charset.pieces(paths[2], 1024)[-1])
    assert messages[0].store_flags == ["seen"] and messages[1].member is not None and messages[-1].index is None
    names = ["source", "path", "container", "member", "path_octets", "member_octets", "index", "offset", "store_flags"]
    for message in messages:
        assert copy.copy(message) is copy.deepcopy(message) is message
        again = pickle.loads(pickle.dumps(message))
        assert type(again) is Message and repr(again) == repr(message)
        for name in names:
            assert getattr(again, name) == getattr(message, name)


def test_buffers() -> None:
    for buffer in (bytearray(NESTED), memoryview(NESTED), memoryview(NESTED + b"x")[:-1]):
        assert Message(buffer).source == NESTED
    # Every second octet: the buffer is not contiguous.
    assert Message(memoryview(b"S:u:b: :x:")[::2]).source == b"Sub x"
    with mmap.mmap(-1, len(NESTED)) as mapped:
        mapped.write(NESTED)
        message = Message(mapped)
        mapped.seek(0)
        mapped.write(b"X" * len(NESTED))
    assert message.source == NESTED and message["Subject"] == "\u2603"


def test_a_changed_buffer_does_not_affect_the_message() -> None:
    buffer = bytearray(b"Subject: one\n\ntext")
    message = Message(buffer)
    buffer[9:12] = b"two"
    buffer.clear()
    assert message["Subject"] == "one" and message.best_text() == "text"


def test_objects_that_are_not_buffers() -> None:
    for wrong in (None, "Subject: x", 5, [1, 2], object()):
        with pytest.raises(TypeError, match="expected bytes, bytearray, memoryview or mmap"):
            Message(wrong)  # type: ignore[arg-type]
    view = memoryview(b"x")
    view.release()
    with pytest.raises(mime_charset.Error, match="cannot read the buffer"):
        Message(view)
    with pytest.raises(TypeError):
        Message(b"")[0]  # type: ignore[index]


def test_threads_share_a_message() -> None:
    """Each thread gets the same texts, and each text is decoded once."""
    octets = [path.read_bytes() for path in MAIL[:40]]
    expected = [[(part.text, part.octets) for part in Message(it).parts] for it in octets]
    shared = [Message(it) for it in octets]
    failures: list[str] = []

    def read() -> None:
        for message, texts in zip(shared, expected, strict=True):
            if [(part.text, part.octets) for part in message.parts] != texts:
                failures.append(repr(message))
            tuple(field.text for field in message.fields)
            message["Subject"]

    threads = [threading.Thread(target=read) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []


def test_large_bodies_are_read_without_the_lock() -> None:
    """Longer than bodies that are decoded under the lock; the text is arithmetic."""
    message = Message(b"Content-Type: text/plain; charset=koi8-r\n\n" + b"\xc1" * 1_000_000)
    assert message.best_text() == "\u0430" * 1_000_000


def test_many_parts() -> None:
    """Finding a part takes no longer if many precede it."""
    source = b"Content-Type: multipart/mixed; boundary=b\n\n" + b"--b\n\nx\n" * 5000 + b"--b--\n"
    message = Message(source)
    assert {part.text for part in message.parts} == {"x"}
    assert len(message.root.children) == len(message.parts)
