"""Mail as a data source of Apache Spark (the extra ``[spark]``, PySpark 4).

::

    spark.dataSource.register(mime_charset.spark.MailDataSource)
    mail = spark.read.format("mail").load("archive/")
    mail.where("year(date) = 1998").select("subject", "parts.charset").show()

Every executor opens the files by the path that the driver has: on a cluster the archive lies on a
file system that all of them have mounted, and this module is installed on all of them.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from pyspark.sql.datasource import DataSource, DataSourceReader, InputPartition
from pyspark.sql.pandas.types import from_arrow_schema, to_arrow_schema
from pyspark.sql.types import ArrayType, DataType, StructType

from . import arrow
from ._native import Error, pieces, read
from .values import Piece

__all__ = ["MailDataSource", "MailPartition", "MailReader"]

_OPENING = 1 << 18
"""A file costs as much as so many octets, however small it is."""


class MailDataSource(DataSource):
    """The messages of mailboxes, Maildirs, folders and files, compressed or not, one a row.

    The schema is that of ``mime_charset.arrow.SCHEMA``. Options, besides the path:

    - ``columns``: those that are wanted, with commas between them; ``parts.text`` is one thing of the
      parts. Spark does not tell which columns a query selects, so that without it all are decoded. A
      schema given to ``spark.read.schema`` does the same.
    - ``split``: how many octets a partition has, 128 MiB by default. Smaller files share one, and larger
      plain mailboxes are cut, as ``mime_charset.pieces`` says. In the middle of one ``index`` is null.
    - ``rows``, ``octets``: at most so many messages in a batch, and no further one once they have so
      many octets; 1,000 and 16 MiB by default.
    - ``errors``: ``raise``, or ``skip`` to log what cannot be read and go on.
    """

    @classmethod
    def name(cls) -> str:
        return "mail"

    def schema(self) -> StructType:
        columns = self.options.get("columns")
        names = None if columns is None else [name.strip() for name in columns.split(",")]
        return from_arrow_schema(arrow.schema(names), prefer_timestamp_ntz=False)

    def reader(self, schema: StructType) -> MailReader:
        return MailReader(dict(self.options), schema)


@dataclass
class MailPartition(InputPartition):
    """What one task reads."""

    pieces: list[Piece]


class MailReader(DataSourceReader):
    """Reads partitions of an archive; made by ``MailDataSource``."""

    def __init__(self, options: dict[str, str], schema: StructType) -> None:
        known = {name.lower(): value for name, value in options.items()}
        self._path = _local(known.get("path"))
        self._split = _number(known, "split", 1 << 27)
        self._rows = _number(known, "rows", 1000)
        self._octets = _number(known, "octets", 1 << 24)
        self._errors = known.get("errors", "raise")
        if self._errors not in ("raise", "skip"):
            raise Error(f"expected raise or skip for the option errors, found {self._errors!r}")
        self._columns = _columns(schema)
        self._schema = schema

    def partitions(self) -> list[InputPartition]:
        """Files, and ranges of large mailboxes, in their order, as many together as make a split."""
        on_error = _log if self._errors == "skip" else None
        found: list[InputPartition] = []
        together: list[Piece] = []
        size = 0
        for piece in pieces(self._path, self._split, on_error=on_error):
            octets = _OPENING + _size(piece)
            if together and size + octets > self._split:
                found.append(MailPartition(together))
                together, size = [], 0
            together.append(piece)
            size += octets
        found.append(MailPartition(together))
        return found

    def read(self, partition: InputPartition) -> Iterator[Any]:
        """The record batches of a partition, in the thread of its task."""
        assert isinstance(partition, MailPartition)
        on_error = _log if self._errors == "skip" else None
        found = read(
            partition.pieces, 1, batch=self._rows, octets=self._octets, columns=self._columns, on_error=on_error
        )
        return arrow.record_batches(iter(found), to_arrow_schema(self._schema, timezone="UTC"))


def _columns(schema: StructType) -> list[str]:
    """What ``read`` is asked for, of a schema that may be one of the user's."""
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
    """A path that every executor has, whatever folder it works in."""
    if path is None:
        raise Error('expected a path, as in spark.read.format("mail").load("archive/")')
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
        # Its task tells why.
        return 0


def _log(error: OSError) -> None:
    logging.getLogger("mime_charset").warning("%s", error.strerror or error)
