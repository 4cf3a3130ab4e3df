"""convert() and verify(): a folder, a mailbox, existing files, damaged results, and progress."""

import json
import shutil
import signal
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from conftest import CORPUS, MAIL

import mime_charset


@pytest.fixture
def source(tmp_path: Path) -> Path:
    folder = tmp_path / "old"
    folder.mkdir()
    for path in MAIL[:40]:
        shutil.copy(path, folder)
    return folder


def test_a_folder_is_converted_and_proved(source: Path, tmp_path: Path) -> None:
    target, report = tmp_path / "new", tmp_path / "report.jsonl"
    done = mime_charset.convert(source, target, report=report)
    assert (done.end, done.files, done.messages) == ("done", 40, 40)
    assert done.failed == () and done.no_mail == ()
    assert done.octets == sum(path.stat().st_size for path in source.iterdir())
    # Each line of the report is an object, and each message has one.
    records = [json.loads(line) for line in report.read_text().splitlines()]
    messages = [record for record in records if record["record"] == "message"]
    assert len(messages) == 40
    # The texts are equal before and after. A page declares its new charset in its markup, which the
    # text does not include.
    def texts(message: mime_charset.Message) -> list[str | None]:
        return [part.reading_text for part in message.parts]

    for path in source.iterdir():
        old = mime_charset.Message(path.read_bytes())
        new = mime_charset.Message((target / path.name).read_bytes())
        assert texts(old) == texts(new), path.name
        assert old["Subject"] == new["Subject"]
    for given in (None, report):
        proof = mime_charset.verify(source, target, report=given)
        assert proof.holds and proof.mismatches == () and proof.messages == 40
        assert (proof.fields, proof.relabelled) == (done.changed_fields, done.relabelled_parts)


def test_later_changes_are_detected(source: Path, tmp_path: Path) -> None:
    target = tmp_path / "new"
    mime_charset.convert(source, target)
    path = sorted(target.iterdir())[3]
    octets = path.read_bytes()
    path.write_bytes(octets[:-1] + bytes([octets[-1] ^ 1]))
    proof = mime_charset.verify(source, target)
    assert not proof.holds
    (mismatch,) = proof.mismatches
    assert Path(mismatch.path).name == path.name and path.name in mismatch.sentence


def test_existing_files(source: Path, tmp_path: Path) -> None:
    target = tmp_path / "new"
    mime_charset.convert(source, target)
    first = sorted(target.iterdir())[0]
    whole = first.read_bytes()
    first.write_bytes(b"Subject: of somebody else\n\n")
    refused = mime_charset.convert(source, target)
    assert refused.end == "incomplete" and len(refused.failed) == 40
    assert first.read_bytes() == b"Subject: of somebody else\n\n"
    assert mime_charset.convert(source, target, existing="replace").end == "done"
    assert first.read_bytes() == whole
    with pytest.raises(mime_charset.Error):
        mime_charset.convert(source, target, existing="perhaps")  # type: ignore[arg-type]


def test_files_are_excluded_by_pattern_or_if_unreadable(source: Path, tmp_path: Path) -> None:
    target, report = tmp_path / "new", tmp_path / "report.jsonl"
    (source / "store.pst").write_bytes(b"!BDN")
    exclude = ["emacs-*"]
    done = mime_charset.convert(source, target, report=report, exclude=exclude, accept_unread=True)
    names = {path.name for path in source.iterdir() if path.suffix == ".eml"}
    kept = {name for name in names if not name.startswith("emacs-")}
    assert done.end == "done" and 0 < len(kept) < len(names)
    assert {path.name for path in target.iterdir()} == kept
    for proof in (
        mime_charset.verify(source, target, report=report),
        mime_charset.verify(source, target, exclude=exclude, accept_unread=True),
    ):
        assert proof.holds and proof.messages == len(kept)
        assert (proof.left_out, proof.accepted_unread) == (len(names) - len(kept), 1)
    assert mime_charset.convert(source, tmp_path / "one", only=["emacs-*"]).files == len(names) - len(kept)
    with pytest.raises(mime_charset.Error, match=r"\[a"):
        mime_charset.convert(source, tmp_path / "none", exclude=["[a"])


def test_errors_name_the_argument_that_allows_the_run(source: Path, tmp_path: Path) -> None:
    report = tmp_path / "report.jsonl"
    report.write_text("of another run\n")
    with pytest.raises(mime_charset.Error, match='existing="resume" .*existing="replace"'):
        mime_charset.convert(source, tmp_path / "new", report=report)
    assert report.read_text() == "of another run\n"
    done = mime_charset.convert(source, tmp_path / "new", report=report, existing="replace")
    assert done.end == "done"


def test_a_mailbox_and_a_missing_source(tmp_path: Path) -> None:
    box = CORPUS / "archive" / "mboxrd.mbox"
    done = mime_charset.convert(box, tmp_path / "new.mbox")
    # corpus/archive/README.md: seven messages.
    assert (done.end, done.files, done.messages) == ("done", 1, 7)
    assert mime_charset.verify(box, tmp_path / "new.mbox").holds
    with pytest.raises(FileNotFoundError):
        mime_charset.convert(tmp_path / "no such file", tmp_path / "x")
    with pytest.raises(TypeError):
        mime_charset.convert(5, tmp_path / "x")  # type: ignore[arg-type]


@pytest.fixture
def large(tmp_path: Path) -> Path:
    """A mailbox that takes longer to convert than the interval between progress calls."""
    message = MAIL[0].read_bytes().replace(b"\nFrom ", b"\n>From ")
    box = tmp_path / "large.mbox"
    box.write_bytes((b"From - Sat Jan  3 01:05:34 1996\n" + message + b"\n\n") * 40_000)
    return box


def test_progress_is_reported_and_may_raise(large: Path, tmp_path: Path) -> None:
    told: list[tuple[int, int, int | None]] = []
    mime_charset.convert(large, tmp_path / "new.mbox", progress=lambda *numbers: told.append(numbers))
    assert told == sorted(set(told)) and told[0][2] == large.stat().st_size
    assert told[-1][0] == 40_000

    def stop(*_: object) -> None:
        raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        mime_charset.convert(large, tmp_path / "other.mbox", progress=stop)
    assert not (tmp_path / "other.mbox").exists()


def test_progress_of_a_short_run(source: Path, tmp_path: Path) -> None:
    """It ends before the first interval."""
    octets = sum(path.stat().st_size for path in source.iterdir())
    for run in (mime_charset.convert, mime_charset.verify):
        told: list[tuple[int, int, int | None]] = []
        run(source, tmp_path / "new", progress=lambda *numbers: told.append(numbers))
        assert told[-1][0] == 40 and told[-1][2] == octets
    with pytest.raises(TypeError, match="expected a function for progress, found int"):
        mime_charset.convert(source, tmp_path / "newer", progress=5)  # type: ignore[arg-type]
    assert not (tmp_path / "newer").exists()


@pytest.fixture
def interruptible() -> Iterator[None]:
    """Installs Python's own handler: a background process of a shell ignores interrupts."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("interruptible")
def test_a_keyboard_interrupt_ends_the_run(large: Path, tmp_path: Path) -> None:
    larger = tmp_path / "larger.mbox"
    # Large enough that the run is unfinished when the interrupt arrives, on any machine.
    larger.write_bytes(large.read_bytes() * 3)
    timer = threading.Timer(0.1, signal.raise_signal, [signal.SIGINT])
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        mime_charset.convert(larger, tmp_path / "new.mbox")
    timer.join()
    assert not (tmp_path / "new.mbox").exists()
