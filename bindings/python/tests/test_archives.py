"""messages() and read(): mailboxes, Maildirs, files, compressed files, and unreadable ones."""

import gzip
import hashlib
import io
import mailbox
import mmap
import os
import pickle
import re
import shutil
import signal
import sys
import threading
import time
from pathlib import Path

import pytest
from conftest import CORPUS, MAIL

import mime_charset
from mime_charset import Message

MAILBOX = CORPUS / "archive" / "mboxrd.mbox"


def test_a_mailbox_plain_and_compressed() -> None:
    plain = [message.source for message in mime_charset.messages(MAILBOX)]
    # corpus/archive/README.md: seven messages.
    assert len(plain) == 7
    for suffix in (".gz", ".zst"):
        path = f"{MAILBOX}{suffix}"
        found = list(mime_charset.messages(path))
        assert [message.source for message in found] == plain
        assert [message.index for message in found] == list(range(7))
        assert {message.path for message in found} == {path}


def test_a_zip_file() -> None:
    paths = {message.path for message in mime_charset.messages(CORPUS / "archive" / "tree.zip")}
    assert paths and all(path is not None and "tree.zip" in path for path in paths)


def test_a_maildir(tmp_path: Path) -> None:
    """The standard library writes the Maildir."""
    maildir = mailbox.Maildir(tmp_path / "box")
    sources = [path.read_bytes() for path in MAIL[:5]]
    for source in sources:
        maildir.add(source)
    found = {message.source for message in mime_charset.messages(tmp_path / "box")}
    assert found == {source.replace(b"\r\n", b"\n") if os.linesep == "\n" else source for source in sources}


def test_a_folder_without_mail(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("no mail")
    found = mime_charset.messages(tmp_path)
    assert list(found) == [] and found.left_out == 1
    # A file named by the caller is read as a message, whatever it contains.
    assert len(list(mime_charset.messages(tmp_path / "notes.txt"))) == 1


def test_a_missing_path() -> None:
    with pytest.raises(FileNotFoundError) as caught:
        list(mime_charset.messages("no/such/file"))
    assert caught.value.filename == "no/such/file"
    for wrong, name in ((5, "int"), (None, "NoneType"), (b"octets", "bytes"), ([], "list"), ((1, 2, 3, 4), "tuple")):
        with pytest.raises(TypeError, match=f"^expected a path or a piece, found {name}$"):
            mime_charset.messages(wrong)  # type: ignore[arg-type]


@pytest.mark.skipif(sys.platform == "win32", reason="other error numbers")
def test_errors_of_the_system(tmp_path: Path) -> None:
    """The exception is the one that open() raises, with a number, a text and a path."""
    (tmp_path / "file").write_bytes(b"Subject: x\n\n")
    (tmp_path / "loop").symlink_to("loop")
    paths = [tmp_path / "file" / "x", tmp_path / "loop", tmp_path / "missing"]
    if os.getuid() != 0:
        (tmp_path / "closed").write_bytes(b"Subject: x\n\n")
        (tmp_path / "closed").chmod(0)
        paths.append(tmp_path / "closed")
    if sys.platform == "linux":
        # The file opens, but its first octet cannot be read.
        paths.append(Path("/proc/self/mem"))
    for path in paths:
        with pytest.raises(OSError) as expected:
            path.read_bytes()
        with pytest.raises(OSError) as caught:
            list(mime_charset.messages(path))
        assert type(caught.value) is type(expected.value)
        assert caught.value.errno == expected.value.errno and caught.value.filename == str(path)
        assert str(caught.value) == f"[Errno {expected.value.errno}] {expected.value.strerror}: {str(path)!r}"
    with pytest.raises(FileNotFoundError, match="missing: No such file or directory$"):
        mime_charset.convert(tmp_path / "missing", tmp_path / "new")


def test_a_path_that_raises() -> None:
    class Broken:
        def __fspath__(self) -> str:
            raise ZeroDivisionError

    for call in (mime_charset.messages, mime_charset.read, lambda path: mime_charset.read([path])):
        with pytest.raises(ZeroDivisionError):
            call(Broken())


def test_a_truncated_gzip(tmp_path: Path) -> None:
    octets = gzip.compress(MAILBOX.read_bytes())
    path = tmp_path / "cut.mbox.gz"
    path.write_bytes(octets[: len(octets) // 2])
    with pytest.raises(OSError, match=f"^cannot read {re.escape(str(path))}: ") as caught:
        list(mime_charset.messages(path))
    assert caught.value.filename == str(path) and caught.value.errno is None
    again = pickle.loads(pickle.dumps(caught.value))
    assert str(again) == str(caught.value) and again.filename == str(path)
    errors: list[OSError] = []
    list(mime_charset.messages(path, on_error=errors.append))
    assert len(errors) == 1


def test_iteration_continues_after_an_error(tmp_path: Path) -> None:
    for name in ("a", "c"):
        (tmp_path / f"{name}.eml").write_bytes(MAIL[0].read_bytes())
    octets = gzip.compress(MAILBOX.read_bytes())
    (tmp_path / "b.mbox.gz").write_bytes(octets[:100])
    errors: list[OSError] = []
    paths = [message.path for message in mime_charset.messages(tmp_path, on_error=errors.append)]
    assert paths[0] == str(tmp_path / "a.eml") and paths[-1] == str(tmp_path / "c.eml")
    assert len(errors) == 1 and "b.mbox.gz" in str(errors[0])
    with pytest.raises(RuntimeError, match="mine"):

        def stop(error: OSError) -> None:
            raise RuntimeError("mine")

        list(mime_charset.messages(tmp_path, on_error=stop))


@pytest.mark.parametrize("threads", [0, 1, 2, 5])
def test_columns_equal_messages(threads: int) -> None:
    octets = [path.read_bytes() for path in MAIL]
    batches = list(mime_charset.read(octets, threads, batch=50))
    assert [len(batch["subject"]) for batch in batches] == [50] * (len(MAIL) // 50) + [len(MAIL) % 50]
    rows = [dict(zip(batch, values, strict=True)) for batch in batches for values in zip(*batch.values(), strict=True)]
    for row, source in zip(rows, octets, strict=True):
        message = Message(source)
        assert row["length"] == len(source) and row["path"] is None and row["offset"] is None
        assert row["sha256"] == hashlib.sha256(source).hexdigest()
        for name in ("subject", "from", "to", "cc", "date"):
            assert row[name] == message[name]
        for name in ("message_id", "in_reply_to", "references"):
            assert row[name] == getattr(message, name)
        assert row["fields"] == [(field.name, field.text) for field in message.fields]
        assert row["findings"] == message.findings
        for part, expected in zip(row["parts"], message.parts, strict=True):
            for name in ("section", "media_type", "label", "charset", "source", "filename", "text"):
                assert part[name] == getattr(expected, name)
            assert part["octets"] == len(expected.octets)
            assert part["findings"] == expected.findings
            decision = expected.decision
            assert part["confidence"] == (decision and decision.confidence)


def test_columns_of_paths_and_octets_together() -> None:
    sources: list[Path | str | bytes] = [MAILBOX, b"Subject: octets\n\n", str(MAIL[0])]
    (batch,) = mime_charset.read(sources, columns=["index", "path"])
    assert batch["path"] == [str(MAILBOX)] * 7 + [None, str(MAIL[0])]
    assert batch["index"] == [*range(7), None, 0]
    (batch,) = mime_charset.read(MAILBOX, columns=["length"])
    assert list(batch) == ["length"] and len(batch["length"]) == 7


def test_no_columns() -> None:
    octets = [b"Subject: x\n\n"] * 3
    assert list(mime_charset.read(octets, batch=2, columns=[])) == [{}, {}]


@pytest.mark.parametrize("name", ["section", "media_type", "label", "charset", "source", "confidence", "filename"])
def test_a_single_property_of_parts(name: str) -> None:
    octets = [path.read_bytes() for path in MAIL]
    (whole,) = mime_charset.read(octets, columns=["parts"])
    (one,) = mime_charset.read(octets, columns=[f"parts.{name}"])
    assert one == {"parts": [[{name: part[name]} for part in parts] for parts in whole["parts"]]}


def test_offsets_of_messages_in_a_mailbox() -> None:
    """Each entry begins with its separator line; offsets count expanded octets."""
    mailbox = MAILBOX.read_bytes()
    (batch,) = mime_charset.read(MAILBOX, columns=["offset"])
    assert [mailbox[offset:][:5] for offset in batch["offset"]] == [b"From "] * 7
    assert [message.offset for message in mime_charset.messages(f"{MAILBOX}.gz")] == batch["offset"]


def test_a_batch_ends_at_its_limit_of_octets() -> None:
    """Messages of 1,000 octets: the third reaches 3,000, more than 2,500."""
    mail = b"Subject: x\n\n" + b"a" * 988
    batches = mime_charset.read([mail] * 7, columns=["length"], octets=2500)
    assert [batch["length"] for batch in batches] == [[1000] * 3, [1000] * 3, [1000]]


@pytest.mark.parametrize("octets", [500, 1024, 4096, 1 << 27])
def test_pieces_return_every_message_once(octets: int, tmp_path: Path) -> None:
    """For every dialect and compression, a Maildir, and files that are not mail."""
    shutil.copytree(CORPUS / "archive", tmp_path / "archive")
    for folder in ("cur", "new", "tmp"):
        (tmp_path / "box" / folder).mkdir(parents=True)
    (tmp_path / "box" / "new" / "1").write_bytes(b"no field")
    (tmp_path / "box" / "tmp" / "2").write_bytes(b"Subject: half\n\n")
    whole = [(message.path, message.offset, message.source) for message in mime_charset.messages(tmp_path)]
    assert len(whole) > 100
    pieces = pickle.loads(pickle.dumps(mime_charset.pieces(tmp_path, octets)))
    found = [message for piece in pieces for message in mime_charset.messages(piece)]
    assert [(message.path, message.offset, message.source) for message in found] == whole
    rows = list(mime_charset.read(pieces, columns=["path", "offset", "index"]))
    assert [offset for batch in rows for offset in batch["offset"]] == [message.offset for message in found]
    indices = [index for batch in rows for index in batch["index"]]
    assert indices == [message.index for message in found]
    assert (None in indices) == (octets < 4096)


def test_invalid_pieces(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match="no/such/file"):
        mime_charset.pieces("no/such/file")
    for wrong in (5, None, b"octets"):
        with pytest.raises(TypeError):
            mime_charset.messages(wrong)  # type: ignore[arg-type]
    # A file that is deleted before it is read is reported then.
    (tmp_path / "a.eml").write_bytes(b"Subject: x\n\n")
    pieces = mime_charset.pieces(tmp_path)
    (tmp_path / "a.eml").unlink()
    with pytest.raises(FileNotFoundError, match="a.eml"):
        list(mime_charset.messages(pieces[0]))


def test_invalid_arguments_of_read() -> None:
    for unknown in ("colour", "parts.colour", "subject.text", "parts."):
        with pytest.raises(mime_charset.Error, match=f'found "{unknown}"'):
            mime_charset.read(b"", columns=["subject", unknown])
    for wrong in (5, None):
        with pytest.raises(TypeError):
            mime_charset.read(wrong)  # type: ignore[arg-type]
    for wrongs, name in (([5], "int"), ([None], "NoneType")):
        with pytest.raises(TypeError, match=f"expected a path, a piece or octets, found {name}"):
            mime_charset.read(wrongs)  # type: ignore[arg-type]
    (batch,) = mime_charset.read(b"Subject: x\n\n", columns=("subject",))
    assert batch == {"subject": ["x"]}
    batches = mime_charset.read([b"Subject: before\n\n", "no/such/file", b"Subject: behind\n\n"])
    # Messages before the error come first, and messages after it follow.
    assert next(batches)["subject"] == ["before"]
    with pytest.raises(FileNotFoundError, match="no/such/file"):
        next(batches)
    assert next(batches)["subject"] == ["behind"]
    with pytest.raises(StopIteration):
        next(batches)


def test_objects_that_are_not_sources(tmp_path: Path) -> None:
    """Lines of a file are not messages, and the buffer of an Arrow string may be a path."""
    path = tmp_path / "a.eml"
    path.write_bytes(b"Subject: x\n\ntext\n")
    expected = "^expected a path, a piece, octets or a list of these, found "
    with path.open("rb") as file:
        for wrong in (file, io.BytesIO(path.read_bytes()), Message(b"Subject: x\n\n"), 5):
            with pytest.raises(TypeError, match=expected + type(wrong).__name__):
                mime_charset.read(wrong)  # type: ignore[arg-type]
        with pytest.raises(TypeError, match="expected a path, a piece or octets, found BufferedReader"):
            mime_charset.read([file])  # type: ignore[list-item]
    with mmap.mmap(-1, 12) as mapped:
        mapped.write(b"Subject: x\n\n")
        octets: list[bytearray | memoryview | mmap.mmap] = [bytearray(b"Subject: x\n\n"), mapped]
        octets.append(memoryview(octets[0]))
        for sources in (octets, iter(octets)):
            (batch,) = mime_charset.read(sources, columns=["subject"])
            assert batch["subject"] == ["x"] * 3


def test_columns_of_arrow_are_not_sources(tmp_path: Path) -> None:
    pa = pytest.importorskip("pyarrow")
    paths = pa.array([str(MAIL[0])])
    with pytest.raises(TypeError, match=r"to_pylist\(\)\), found StringScalar"):
        mime_charset.read(paths)
    (batch,) = mime_charset.read(paths.to_pylist(), columns=["path"])
    assert batch["path"] == [str(MAIL[0])]


def test_threads_share_an_iterator_of_messages() -> None:
    """Each message is returned exactly once."""
    found: list[str | None] = []
    messages = mime_charset.messages(CORPUS / "mail")

    def take() -> None:
        found.extend(message.path for message in messages)

    threads = [threading.Thread(target=take) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(map(str, found)) == [str(path) for path in MAIL]


def test_threads_get_complete_batches() -> None:
    """The messages of a batch are consecutive, and each is returned exactly once."""
    octets = [b"Subject: %d\n\n" % number for number in range(1000)]
    batches = mime_charset.read(octets, 2, batch=30, columns=["subject"])
    found: list[list[int]] = []

    def take() -> None:
        found.extend([int(text) for text in batch["subject"]] for batch in batches)

    threads = [threading.Thread(target=take) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    expected = [list(range(1000))[start : start + 30] for start in range(0, 1000, 30)]
    assert sorted(found) == expected


def test_a_batch_within_a_batch() -> None:
    """Python may run `__del__` whenever it frees a value; a nested request must not deadlock."""
    raised: list[object] = []

    class Given(bytes):
        def __del__(self) -> None:
            try:
                raised.append(next(batches))
            except RuntimeError as error:
                raised.append(error)

    mails: list[Given] = [Given(b"Subject: %d\n\n" % number) for number in range(20)]
    batches = mime_charset.read(mails, columns=["subject"])
    mails.clear()
    assert [text for batch in batches for text in batch["subject"]] == [str(number) for number in range(20)]
    assert len(raised) == 20 and {type(error) for error in raised} == {RuntimeError}


def test_an_abandoned_batch_is_freed() -> None:
    """Messages read ahead are freed, though not immediately: a thread may be decoding one."""
    gone = 0

    class Given(bytes):
        def __del__(self) -> None:
            nonlocal gone
            gone += 1

    count = 3000
    batches = mime_charset.read([Given(b"Subject: %d\n\n" % number) for number in range(count)], 3, batch=100)
    assert next(batches)["subject"] == [str(number) for number in range(100)]
    del batches
    until = time.monotonic() + 60
    while gone < count and time.monotonic() < until:
        mime_charset.Message(b"")
        time.sleep(0.01)
    assert gone == count


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork")
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_batches_in_a_forked_process() -> None:
    """Only the first process has the threads that read ahead: the child gets an error instead of waiting for them."""
    octets = [b"Subject: %d\n\ntext" % number for number in range(4000)]
    for _ in range(20):
        batches = mime_charset.read(octets, 2, columns=["subject"])
        found = next(batches)["subject"]
        child = os.fork()
        if child == 0:
            signal.alarm(60)
            status = 1
            try:
                rest = [text for batch in batches for text in batch["subject"]]
                status = 0 if len(rest) == 3000 else 2
            except RuntimeError as error:
                status = 0 if "parent process" in str(error) else 3
            finally:
                os._exit(status)
        assert os.waitpid(child, 0)[1] == 0
        found += [text for batch in batches for text in batch["subject"]]
        assert found == [str(number) for number in range(4000)]


def test_repeated_strings_are_shared() -> None:
    """Names of fields and charsets are shared."""
    (batch,) = mime_charset.read([b"X-Loop: a\n\ntext"] * 100, 2, columns=["fields", "parts"])
    assert len({id(name) for fields in batch["fields"] for name, _ in fields}) == 1
    assert len({id(part["charset"]) for parts in batch["parts"] for part in parts}) == 1
