"""mime_charset.spark on a real Spark with two workers, which runs tasks up to four times.

Skipped without Java or PySpark.
"""

import gzip
import json
import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from conftest import CORPUS, MAIL

import mime_charset

pytest.importorskip("pyspark", reason="PySpark is absent")
if shutil.which("java") is None and "JAVA_HOME" not in os.environ:
    pytest.skip("Java is absent", allow_module_level=True)

from pyspark.sql import SparkSession
from pyspark.sql.types import ArrayType, IntegerType, StringType, StructField, StructType

import mime_charset.arrow
import mime_charset.spark


@pytest.fixture(scope="module")
def spark() -> Iterator[SparkSession]:
    os.environ["PYSPARK_PYTHON"] = sys.executable
    os.environ.setdefault("SPARK_LOCAL_IP", "127.0.0.1")
    builder = SparkSession.builder.master("local[2,4]").appName("mime-charset")
    settings = {"spark.ui.enabled": "false", "spark.sql.session.timeZone": "UTC", "spark.sql.shuffle.partitions": "2"}
    for name, value in settings.items():
        builder = builder.config(name, value)
    session = builder.getOrCreate()
    session.sparkContext.setLogLevel("OFF")
    session.dataSource.register(mime_charset.spark.MailDataSource)
    yield session
    session.stop()


def mail(spark: SparkSession, path: Path, **options: object) -> Any:
    return spark.read.format("mail").options(**{name: str(it) for name, it in options.items()}).load(str(path))


def rows(frame: Any) -> list[dict[str, Any]]:
    found = [row.asDict(recursive=True) for row in frame.collect()]
    return sorted(found, key=lambda row: (row["path"], row["offset"]))


def expected(path: Path, columns: list[str] | None = None) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = mime_charset.arrow.table(path, columns=columns).to_pylist()
    for row in found:
        for name in ("date", "received_date"):
            if row.get(name) is not None:
                # PySpark returns local times without a zone.
                row[name] = row[name].astimezone().replace(tzinfo=None)
    return sorted(found, key=lambda row: (row["path"], row["offset"]))


def test_every_column_of_the_corpus(spark: SparkSession) -> None:
    frame = mail(spark, CORPUS / "mail")
    assert frame.columns == mime_charset.arrow.SCHEMA.names
    assert rows(frame) == expected(CORPUS / "mail")


@pytest.mark.parametrize("split", [1024, 1500, 4096, 1 << 27])
def test_every_message_is_returned_once(spark: SparkSession, split: int) -> None:
    """Each dialect of mbox in the corpus, compressed or not: the whole file, or ranges of it."""
    columns = ["path", "offset", "length", "sha256", "subject", "parts.text"]
    frame = mail(spark, CORPUS / "archive", columns=",".join(columns), split=split)
    assert rows(frame) == expected(CORPUS / "archive", columns)
    assert (frame.rdd.getNumPartitions() > 20) == (split < 1 << 27)


def test_attachments(spark: SparkSession) -> None:
    """The table of ``mime_charset.arrow.attachments``, one row per attachment."""
    frame = mail(spark, CORPUS / "mail", table="attachments", split=4096)
    assert frame.columns == mime_charset.arrow.ATTACHMENTS.names
    found = mime_charset.arrow.attachments(CORPUS / "mail").to_pylist()
    assert len(found) > 5
    assert rows(frame) == sorted(found, key=lambda row: (row["path"], row["offset"]))
    with pytest.raises(Exception, match="expected no schema with the table attachments"):
        options = spark.read.format("mail").option("table", "attachments")
        options.schema("subject string").load(str(CORPUS / "mail")).collect()


def test_index_in_ranges(spark: SparkSession) -> None:
    """It is known up to the first split; after it, offsets give the order."""
    path = CORPUS / "archive" / "mboxrd.mbox"
    whole = rows(mail(spark, path, columns="path,offset,index"))
    assert [row["index"] for row in whole] == list(range(7))
    cut = rows(mail(spark, path, columns="path,offset,index", split=1024))
    assert [row["offset"] for row in cut] == [row["offset"] for row in whole]
    assert [row["index"] for row in cut] == [row["index"] if row["offset"] < 1024 else None for row in whole]


def test_a_query(spark: SparkSession, tmp_path: Path) -> None:
    """The third of January 1998, and an hour before and after the turn of the year."""
    for name, date in {"a": "3 Jan 1998 01:05:34 +0100", "b": "31 Dec 1998 23:30:00 -0100", "c": "never"}.items():
        octets = f"Subject: =?koi8-r?B?xNfB?= {name}\nDate: {date}\nContent-Type: text/plain; charset=koi8-r\n\n"
        (tmp_path / f"{name}.eml").write_bytes(octets.encode() + "два".encode("koi8-r"))
    found = mail(spark, tmp_path).where("year(date) = 1998").select("subject", "parts.charset").collect()
    assert [(row.subject, row.charset) for row in found] == [("два a", ["KOI8-R"])]


def test_columns_by_a_schema(spark: SparkSession) -> None:
    part = StructType([StructField("section", StringType()), StructField("octets", IntegerType())])
    schema = StructType([StructField("parts", ArrayType(part)), StructField("subject", StringType())])
    path = str(MAIL[0])
    reader = spark.read.format("mail")
    with pytest.raises(Exception, match="expected parts as array<struct<section:string,octets:bigint>>"):
        reader.schema(schema).load(path).collect()
    found = reader.schema("subject string, parts array<struct<section string, octets bigint>>").load(path).collect()
    message = mime_charset.Message(MAIL[0].read_bytes())
    sizes = [(part.section, len(part.octets)) for part in message.parts]
    assert [(row.subject, [(it.section, it.octets) for it in row.parts]) for row in found] == [
        (message["Subject"], sizes)
    ]


def test_unreadable_files(spark: SparkSession, tmp_path: Path) -> None:
    with pytest.raises(Exception, match="no/such/folder"):
        mail(spark, Path("no/such/folder")).collect()
    both = {"table": "attachments", "columns": "path"}
    for wrong in (both, {"columns": "colour"}, {"split": "many"}, {"rows": 0}, {"errors": "perhaps"}, {"table": "parts"}):
        with pytest.raises(Exception, match="mime_charset.Error: expected"):
            mail(spark, CORPUS / "mail", **wrong).collect()
    with pytest.raises(Exception, match="expected a path of a mounted file system, found 's3a://box'"):
        spark.read.format("mail").load("s3a://box").collect()
    with pytest.raises(Exception, match="expected one path, as in"):
        spark.read.format("mail").load(["md", "box"]).collect()
    (tmp_path / "a.eml").write_bytes(MAIL[0].read_bytes())
    octets = gzip.compress((CORPUS / "archive" / "mboxrd.mbox").read_bytes())
    (tmp_path / "cut.mbox.gz").write_bytes(octets[: len(octets) // 2])
    with pytest.raises(Exception, match="cut.mbox.gz"):
        mail(spark, tmp_path).collect()
    found = rows(mail(spark, tmp_path, errors="skip", columns="path,offset"))
    assert str(tmp_path / "a.eml") in {row["path"] for row in found}
    (tmp_path / "empty").mkdir()
    assert mail(spark, tmp_path / "empty").count() == 0


def archive(folder: Path) -> None:
    """Mailboxes in every dialect and compression, two with the same destination, and messages."""
    shutil.copytree(CORPUS / "archive", folder / "archive")
    for number in range(6):
        shutil.copytree(CORPUS / "mail", folder / f"mail{number}")
    (folder / "broken.mbox.gz").write_bytes(b"\x1f\x8b\x08")
    (folder / "notes").write_text("no mail")


def result(destination: Path, report: Path) -> tuple[dict[str, bytes], list[str]]:
    """Every file and the lines of the report, except the time in the last; deletes them afterwards."""
    found = sorted(path for path in destination.rglob("*") if path.is_file())
    # A damaged file may be converted later, so the journal stays.
    tree = {str(path): path.read_bytes() for path in found if path.name != ".mime-charset-journal"}
    assert not [path for path in tree if ".mime-charset-" in path]
    *lines, last = report.read_text("utf-8").splitlines()
    summary = json.dumps(json.loads(last)["summary"])
    shutil.rmtree(destination)
    for path in (report, Path(f"{report}.part")):
        path.unlink()
    return tree, [*lines, summary]


@pytest.fixture
def command() -> str:
    named = os.environ.get("MIME_CHARSET_COMMAND")
    if named is None:
        pytest.skip("MIME_CHARSET_COMMAND is not set")
    return named


def test_a_conversion_equals_that_of_one_machine(spark: SparkSession, tmp_path: Path) -> None:
    source, destination, report = tmp_path / "old", tmp_path / "new", tmp_path / "report.jsonl"
    archive(source)
    one = mime_charset.convert(source, destination, report=report)
    expected = result(destination, report)
    assert len(expected[0]) > 1000
    made = mime_charset.spark.convert(spark, source, destination, report=report, split=1 << 25)
    assert made.end == "incomplete" and any("broken.mbox.gz" in sentence for sentence in made.failed)
    assert made.files == len(expected[0])
    assert made == one
    with pytest.raises((OSError, mime_charset.Error), match="already exists"):
        mime_charset.spark.convert(spark, source, destination, report=report)
    assert result(destination, report) == expected


def test_errors_name_what_allows_the_run(tmp_path: Path) -> None:
    """They occur before a task is started."""
    source, report = tmp_path / "old", tmp_path / "report.jsonl"
    shutil.copytree(CORPUS / "mail", source)
    report.write_text("of another run\n")
    with pytest.raises(mime_charset.Error) as caught:
        mime_charset.spark.convert(None, source, tmp_path / "new", report=report)
    told = str(caught.value)
    assert 'existing="resume" continues an interrupted run, ' in told
    assert told.endswith("deleting the results and the report starts over")
    with pytest.raises(mime_charset.Error, match="found 'replace'"):
        mime_charset.spark.convert(None, source, tmp_path / "new", existing="replace")  # type: ignore[arg-type]


def workers() -> list[int]:
    """The child processes forked by Spark's daemon."""
    parents = {}
    daemons = set()
    for folder in Path("/proc").iterdir():
        if folder.name.isdecimal():
            try:
                status, line = (folder / "status").read_text(), (folder / "cmdline").read_bytes()
            except OSError:
                continue
            parents[int(folder.name)] = int(status.split("PPid:")[1].split()[0])
            if b"pyspark.daemon" in line:
                daemons.add(int(folder.name))

    def is_ours(process: int) -> bool:
        while process in parents and process != os.getpid():
            process = parents[process]
        return process == os.getpid()

    return [process for process in daemons if parents[process] in daemons and is_ours(process)]


def damage(destination: Path) -> None:
    """An altered octet, a missing message, an unexpected one, and half a mailbox."""
    mail = sorted((destination / "mail2").iterdir())
    octets = mail[3].read_bytes()
    mail[3].write_bytes(octets[:-1] + bytes([octets[-1] ^ 1]))
    mail[5].unlink()
    (destination / "mail2" / "of-nobody.eml").write_bytes(b"Subject: x\n\n")
    mailbox = destination / "archive" / "mboxo.mbox"
    mailbox.write_bytes(mailbox.read_bytes()[: mailbox.stat().st_size // 2])


def proofs(spark: SparkSession, source: Path, destination: Path, **options: Any) -> list[Any]:
    """The proof of one machine, and of several with small and large shares."""
    report = options.get("report")
    return [
        mime_charset.verify(source, destination, report=report),
        mime_charset.spark.verify(spark, source, destination, split=1 << 23, **options),
        mime_charset.spark.verify(spark, source, destination, **options),
    ]


def test_a_proof_equals_that_of_one_machine(spark: SparkSession, tmp_path: Path) -> None:
    """With mailboxes, a zip file, two that cannot be opened, and five with the same destination."""
    source, destination, report = tmp_path / "old", tmp_path / "new", tmp_path / "report.jsonl"
    archive(source)
    # It has the same destination as five others, which are compared last.
    (source / "archive" / "mboxrd.mbox.gzip").write_bytes(b"\x1f\x8b\x08")
    mime_charset.convert(source, destination, report=report)
    for number in range(2):
        for options in ({}, {"report": report}):
            one, *several = proofs(spark, source, destination, **options)
            # The four that lost the destination to another, the mailbox that is not converted
            # because Rmail decoded it, and the journal, which stays until a file is repaired; then
            # four more.
            assert not one.holds and len(one.mismatches) == 6 + 4 * number and len(one.failed) == 2
            assert several == [one, one]
        if number == 0:
            damage(destination)
    names = {Path(mismatch.path).name for mismatch in one.mismatches}
    assert {"of-nobody.eml", "mboxo.mbox", "mboxrd.mbox"} < names


def test_a_proof_that_holds(spark: SparkSession, tmp_path: Path) -> None:
    source, destination = tmp_path / "old", tmp_path / "new"
    shutil.copytree(CORPUS / "mail", source)
    mime_charset.convert(source, destination)
    one, *several = proofs(spark, source, destination)
    assert one.holds and one.messages == len(MAIL) and several == [one, one]
    box = CORPUS / "archive" / "mboxrd.mbox"
    mime_charset.convert(box, tmp_path / "new.mbox")
    assert mime_charset.spark.verify(spark, box, tmp_path / "new.mbox").messages == 7
    with pytest.raises(FileNotFoundError):
        mime_charset.spark.verify(spark, tmp_path / "no such folder", destination)


def test_a_proof_without_excluded_files(
    spark: SparkSession, tmp_path: Path, command: str
) -> None:
    source, destination, report = tmp_path / "old", tmp_path / "new", tmp_path / "report.jsonl"
    shutil.copytree(CORPUS / "mail", source)
    options = ["convert", "--exclude", "emacs-*.eml", "--report", str(report), str(source), str(destination)]
    subprocess.run([command, *options], check=True, capture_output=True)
    one, *several = proofs(spark, source, destination, report=report)
    left_out = sum(path.name.startswith("emacs-") for path in MAIL)
    assert one.holds and one.messages == len(MAIL) - left_out and one.left_out == left_out
    assert several == [one, one]


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="/proc is absent")
def test_a_proof_whose_workers_are_killed(spark: SparkSession, tmp_path: Path) -> None:
    """Their tasks are run again; nothing is counted twice, and nothing is skipped."""
    source, destination = tmp_path / "old", tmp_path / "new"
    archive(source)
    mime_charset.convert(source, destination)
    damage(destination)
    expected = mime_charset.verify(source, destination)
    tracker = spark.sparkContext.statusTracker()
    failed: list[int] = []

    def kill() -> None:
        # Once some tasks are done and others are not.
        for _ in range(3000):
            for stage in tracker.getActiveStageIds():
                info = tracker.getStageInfo(stage)
                if info is not None and info.numCompletedTasks >= 3 and info.numActiveTasks > 0:
                    for process in workers():
                        os.kill(process, signal.SIGKILL)
                    while not failed and stage in tracker.getActiveStageIds():
                        info = tracker.getStageInfo(stage)
                        failed.extend([stage] * (info.numFailedTasks if info else 0))
                        time.sleep(0.01)
                    return
            time.sleep(0.005)

    killer = threading.Thread(target=kill)
    killer.start()
    found = mime_charset.spark.verify(spark, source, destination, split=1 << 24)
    killer.join()
    assert failed
    assert found == expected and len(found.mismatches) == 10


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="/proc is absent")
def test_a_conversion_whose_workers_are_killed(spark: SparkSession, tmp_path: Path, command: str) -> None:
    """Their tasks are run again; no file is duplicated or truncated."""
    source, destination, report = tmp_path / "old", tmp_path / "new", tmp_path / "report.jsonl"
    archive(source)
    subprocess.run([command, "convert", "--report", report, source, destination], capture_output=True)
    expected = result(destination, report)
    killed: list[int] = []

    def kill() -> None:
        # Once each of two shares has written some files.
        for _ in range(3000):
            journals = list(destination.glob(".mime-charset-share-*.journal"))
            if sum(path.stat().st_size > 2000 for path in journals) >= 2:
                killed.extend(workers())
                for process in killed:
                    os.kill(process, signal.SIGKILL)
                return
            time.sleep(0.01)

    killer = threading.Thread(target=kill)
    killer.start()
    mime_charset.spark.convert(spark, source, destination, report=report, split=1 << 28)
    killer.join()
    assert killed
    assert result(destination, report) == expected
