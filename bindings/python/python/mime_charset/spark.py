"""Mail as a data source of Apache Spark (the extra ``[spark]``, PySpark 4).

::

    import mime_charset.spark

    spark.dataSource.register(mime_charset.spark.MailDataSource)
    mail = spark.read.format("mail").load("archive/")
    mail.where("year(date) = 1998").select("subject", "parts.charset").show()
    mime_charset.spark.convert(spark, "archive/", "archive-utf8/", report="report.jsonl")
    mime_charset.spark.verify(spark, "archive/", "archive-utf8/")

Executors open files by the paths of the driver. On a cluster, all machines need this module and a shared
file system with the archive, mounted at the same path.
"""

from __future__ import annotations

import logging
import os
import uuid
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from pyspark import TaskContext
from pyspark.sql.datasource import DataSource, DataSourceReader, InputPartition
from pyspark.sql.pandas.types import from_arrow_schema, to_arrow_schema
from pyspark.sql.types import ArrayType, DataType, StructType

from . import arrow
from ._native import Error, _convert_step, _verify_step, pieces, read
from ._native import verify as verify_here
from .values import Conversion, Mismatch, Piece, Proof

__all__ = ["MailDataSource", "MailPartition", "MailReader", "convert", "verify"]

_OPENING = 1 << 18
"""The cost of opening a file, in octets."""


class MailDataSource(DataSource):
    """The messages of mailboxes, Maildirs, folders and files, compressed or not, one per row.

    The schema is ``mime_charset.arrow.SCHEMA``. Options, besides the path:

    - ``table``: ``messages``, or ``attachments`` for one row per attachment, with the schema
      ``mime_charset.arrow.ATTACHMENTS`` and no choice of columns.
    - ``columns``: the columns to decode, separated by commas; ``parts.text`` is one key of the parts. Spark
      does not say which columns a query selects, so by default all are decoded. A schema given to
      ``spark.read.schema`` selects columns in the same way.
    - ``split``: the size of a partition in octets, 128 MiB by default. Smaller files share a partition, and
      larger plain mailboxes are split (see ``mime_charset.pieces``). After a split ``index`` is null.
    - ``rows``, ``octets``: the size of a batch, at most 1,000 messages and 16 MiB by default.
    - ``errors``: ``raise``, or ``skip`` to log files that cannot be read and continue.
    """

    @classmethod
    def name(cls) -> str:
        return "mail"

    def schema(self) -> StructType:
        columns = self.options.get("columns")
        if _is_of_attachments(self.options):
            if columns is not None:
                raise Error("expected no option columns with the table attachments")
            return from_arrow_schema(arrow.ATTACHMENTS, prefer_timestamp_ntz=False)
        names = None if columns is None else [name.strip() for name in columns.split(",")]
        return from_arrow_schema(arrow.schema(names), prefer_timestamp_ntz=False)

    def reader(self, schema: StructType) -> MailReader:
        return MailReader(dict(self.options), schema)


@dataclass
class MailPartition(InputPartition):
    """The pieces that one task reads."""

    pieces: list[Piece]


class MailReader(DataSourceReader):
    """Reads the partitions of an archive. ``MailDataSource`` makes it."""

    def __init__(self, options: dict[str, str], schema: StructType) -> None:
        known = {name.lower(): value for name, value in options.items()}
        self._path = _local(known.get("path"))
        self._split = _number(known, "split", 1 << 27)
        self._rows = _number(known, "rows", 1000)
        self._octets = _number(known, "octets", 1 << 24)
        self._errors = known.get("errors", "raise")
        if self._errors not in ("raise", "skip"):
            raise Error(f"expected raise or skip for the option errors, found {self._errors!r}")
        self._is_of_attachments = _is_of_attachments(known)
        if self._is_of_attachments and schema.names != arrow.ATTACHMENTS.names:
            raise Error("expected no schema with the table attachments")
        self._columns = arrow.ATTACHMENTS_READ if self._is_of_attachments else _columns(schema)
        self._schema = schema

    def partitions(self) -> list[InputPartition]:
        """Files, and ranges of large mailboxes, in order, grouped into partitions of ``split`` octets."""
        on_error = _log if self._errors == "skip" else None
        found = pieces(self._path, self._split, on_error=on_error)
        # Spark needs at least one partition.
        return [MailPartition(together) for together in _together(found, self._split) or [[]]]

    def read(self, partition: InputPartition) -> Iterator[Any]:
        """Yields the record batches of a partition, on the thread of its task."""
        assert isinstance(partition, MailPartition)
        on_error = _log if self._errors == "skip" else None
        found = read(
            partition.pieces, 1, batch=self._rows, octets=self._octets, columns=self._columns, on_error=on_error
        )
        if self._is_of_attachments:
            return arrow.attachment_batches(iter(found))
        return arrow.record_batches(iter(found), to_arrow_schema(self._schema, timezone="UTC"))


def convert(
    spark: Any,
    source: str | os.PathLike[str],
    destination: str | os.PathLike[str],
    *,
    report: str | os.PathLike[str] | None = None,
    existing: Literal["refuse", "resume"] = "refuse",
    split: int = 1 << 27,
) -> Conversion:
    """Converts the mail in a folder to UTF-8 on the executors, each file completely or not at all.

    The result and the report are those of ``mime-charset convert``, octet for octet except the time in the
    report. A task converts files of ``split`` octets in total; a mailbox is one file, and is not split. A
    task that is killed runs again without duplicates or truncated files: it compares the files that it had
    finished, and the last step removes temporary files. ``existing="resume"`` continues an interrupted run:
    tasks convert its files again and compare them, and write none twice.

    Raises as ``mime_charset.convert`` does if the whole run is impossible. The result lists files that
    cannot be converted.
    """
    source, destination = os.path.abspath(source), os.path.abspath(destination)
    report = None if report is None else os.path.abspath(report)
    if existing not in ("refuse", "resume"):
        raise Error(f"expected refuse or resume, found {existing!r}")
    begun = _convert_step("begin" if existing == "refuse" else "go on", source, destination, report, "", [])
    if begun.end == "cancelled" and os.path.isdir(source):
        # The last step reports paths that cannot be listed. It also converts files whose results would
        # share a name: the first gets the name, and only that step knows which is the first.
        singles, _ = _by_place(pieces(source, (1 << 63) - 1, on_error=_nothing))
        shares = _together(singles, split)
        run = uuid.uuid4().hex

        def share(number: int, given: Iterable[list[Piece]]) -> Iterator[str]:
            context = TaskContext.get()
            attempt = 0 if context is None else context.taskAttemptId()
            for together in given:
                name = f"{run}-{number}-{attempt}"
                yield _convert_step("share", source, destination, report, name, together).end

        if shares:
            spark.sparkContext.parallelize(shares, len(shares)).mapPartitionsWithIndex(share).collect()
    return begun if begun.end == "nothing-left" else _convert_step("end", source, destination, report, "", [])


def verify(
    spark: Any,
    source: str | os.PathLike[str],
    destination: str | os.PathLike[str],
    *,
    report: str | os.PathLike[str] | None = None,
    split: int = 1 << 27,
) -> Proof:
    """Proves on the executors that a destination is the conversion of its source.

    The result is that of ``mime_charset.verify``. A task compares files of ``split`` octets in total; a
    mailbox is one file. The driver lists both folders. With a ``report`` each task reads all of it, so there
    are at most four tasks per core; without one each task converts its files again. Nothing is written, and
    a task that is killed runs again.
    """
    source, destination = os.path.abspath(source), os.path.abspath(destination)
    report = None if report is None else os.path.abspath(report)
    if not os.path.isdir(source):
        return verify_here(source, destination, report=report)
    found = pieces(source, (1 << 63) - 1, on_error=_nothing)
    singles, doubles = _by_place(found)
    context = spark.sparkContext
    if report is not None:
        split = max(split, sum(map(_cost, singles)) // (4 * context.defaultParallelism) + 1)
    # Files that would become the same file are compared by one task.
    shares = _together(singles, split) + ([doubles] if doubles else [])

    def share(given: Iterable[list[Piece]]) -> Iterator[Proof]:
        return (_verify_step(source, destination, report, together) for together in given)

    proofs = context.parallelize(shares, len(shares)).mapPartitions(share).collect() if shares else []
    proofs.append(_verify_step(source, destination, report, None))
    order = {_place(os.path.relpath(piece.path, source)): number for number, piece in enumerate(found)}

    def number(mismatch: Mismatch) -> int:
        """The number of its file, or of the zip file that contains it; unknown files come last."""
        for folder in (destination, source):
            path = os.path.relpath(mismatch.path, folder)
            for name in (_place(path), *_folders(path)):
                if name in order:
                    return order[name]
        return len(order)

    numbers = {piece.path: number for number, piece in enumerate(found)}

    def place(told: tuple[str, list[Piece]]) -> int:
        """The number of the file that a sentence names: the longest match, since one name may begin another."""
        sentence, together = told
        named = [piece.path for piece in together if piece.path in sentence]
        return numbers[max(named, key=len)] if named else len(numbers)

    mismatches = sorted((mismatch for proof in proofs for mismatch in proof.mismatches), key=number)
    of_shares = zip(proofs, [*shares, []], strict=True)
    told = [(sentence, together) for proof, together in of_shares for sentence in proof.failed]
    failed = [sentence for sentence, _ in sorted(told, key=place)]
    counts = [sum(column) for column in zip(*(proof[1:-2] for proof in proofs), strict=True)]
    holds = all(proof.holds for proof in proofs)
    return Proof._make((holds, *counts, tuple(mismatches[:1000]), tuple(failed[:1000])))


def _nothing(error: OSError) -> None:
    """Ignores the error: the last step reports it."""


def _by_place(found: list[Piece]) -> tuple[list[Piece], list[Piece]]:
    """Separates pieces with a result of their own from pieces that share one."""
    counts = Counter(_place(piece.path) for piece in found)
    folders = {folder for piece in found for folder in _folders(piece.path)}

    def is_single(piece: Piece) -> bool:
        return counts[_place(piece.path)] == 1 and _place(piece.path) not in folders

    return [it for it in found if is_single(it)], [it for it in found if not is_single(it)]


def _place(path: str) -> str:
    """The path of the result of a file."""
    for extensions in (_COMPRESSED, _PACKED):
        stem, extension = os.path.splitext(path)
        if extension.lower() in extensions:
            path = stem
    stem, extension = os.path.splitext(path)
    if os.path.basename(stem) == "u":
        # It may be a Dovecot message.
        return path + ".eml"
    return stem + ".eml" if extension.lower() == ".emlx" else path


_COMPRESSED = {".gz", ".gzip", ".zst", ".zstd", ".bz2", ".bzip2", ".xz"}
_PACKED = {".zip", ".tar", ".tgz", ".taz", ".tbz", ".tbz2", ".tb2", ".txz", ".tzst", ".tzs"}


def _folders(path: str) -> Iterator[str]:
    while (folder := os.path.dirname(path)) != path:
        yield folder
        path = folder


def _together(found: list[Piece], split: int) -> list[list[Piece]]:
    """Groups pieces, in order, into lists of ``split`` octets."""
    all_: list[list[Piece]] = []
    size = split
    for piece in found:
        octets = _cost(piece)
        if size + octets > split:
            all_.append([])
            size = 0
        all_[-1].append(piece)
        size += octets
    return all_


def _cost(piece: Piece) -> int:
    return _OPENING + _size(piece)


def _is_of_attachments(options: Mapping[str, str]) -> bool:
    table = options.get("table", "messages")
    if table not in ("messages", "attachments"):
        raise Error(f"expected messages or attachments for the option table, found {table!r}")
    return table == "attachments"


def _columns(schema: StructType) -> list[str]:
    """The columns to request from ``read``, for a schema that may be the user's."""
    asked = []
    for field in schema.fields:
        if field.name == "parts" and isinstance(field.dataType, ArrayType):
            part = field.dataType.elementType
            asked += [f"parts.{name}" for name in (part.names if isinstance(part, StructType) else [])]
        else:
            asked.append(field.name)
    ours = from_arrow_schema(arrow.schema(asked), prefer_timestamp_ntz=False)
    expected = {field.name: _word(field.dataType) for field in ours.fields}
    for field in schema.fields:
        if _word(field.dataType) != expected.get(field.name):
            raise Error(f"expected {field.name} as {expected.get(field.name)}, found {_word(field.dataType)}")
    return arrow.columns_read(arrow.schema(asked))


def _word(kind: DataType) -> str:
    return kind.simpleString()


def _number(options: dict[str, str], name: str, default: int) -> int:
    written = options.get(name, str(default))
    if not written.isdecimal() or int(written) == 0:
        raise Error(f"expected a number above 0 for the option {name}, found {written!r}")
    return int(written)


def _local(path: str | None) -> str:
    """A path that is valid on every executor, whatever its working directory."""
    if path is None:
        raise Error('expected one path, as in spark.read.format("mail").load("archive/")')
    scheme, colon, rest = path.partition("://")
    if colon and scheme != "file":
        raise Error(f"expected a path of a mounted file system, found {path!r}")
    return os.path.abspath(rest if colon else path.removeprefix("file:"))


def _size(piece: Piece) -> int:
    if piece.end is not None:
        return piece.end - piece.begin
    try:
        return max(os.path.getsize(piece.path) - piece.begin, 0)
    except OSError:
        # The task reports the error.
        return 0


def _log(error: OSError) -> None:
    logging.getLogger("mime_charset").warning("%s", error)
