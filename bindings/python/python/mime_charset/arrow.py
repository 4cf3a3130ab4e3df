"""Mail as record batches of Apache Arrow, one row per message (the extra ``[arrow]``).

>>> import mime_charset.arrow
>>> mails = [b"Subject: one\\nDate: Sat, 03 Jan 1998 01:05:34 +0100\\n\\nText", b"Subject: =?koi8-r?B?xNfB?=\\n\\n"]
>>> for batch in mime_charset.arrow.batches(mails, columns=["subject", "date", "parts.charset"]):
...     for row in batch.to_pylist():
...         print(row["subject"], row["date"], row["parts"])
one 1998-01-03 00:05:34+00:00 [{'charset': 'US-ASCII'}]
два None [{'charset': 'US-ASCII'}]
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from mmap import mmap
from os import PathLike
from typing import Any

import pyarrow as pa

from ._native import Error, read
from .values import Piece

__all__ = ["ATTACHMENTS", "FINDING", "SCHEMA", "attachments", "batches", "schema", "table"]

FINDING = pa.struct(
    [
        pa.field("kind", pa.string(), nullable=False),
        pa.field("effect", pa.string(), nullable=False),
        pa.field("within", pa.string(), nullable=False),
        pa.field("offset", pa.int64(), nullable=False),
        pa.field("length", pa.int64(), nullable=False),
        pa.field("detail", pa.string(), nullable=False),
    ]
)
"""A ``mime_charset.Finding``."""

_FIELD = pa.struct([pa.field("name", pa.string(), nullable=False), pa.field("text", pa.string(), nullable=False)])

_PART = pa.struct(
    [
        pa.field("section", pa.string(), nullable=False),
        pa.field("media_type", pa.string(), nullable=False),
        pa.field("label", pa.string()),
        pa.field("charset", pa.string()),
        pa.field("source", pa.string()),
        pa.field("confidence", pa.int32()),
        pa.field("filename", pa.string()),
        pa.field("octets", pa.int64(), nullable=False),
        pa.field("text", pa.string()),
        pa.field("findings", pa.list_(pa.field("element", FINDING, nullable=False)), nullable=False),
    ]
)

_IDENTIFIERS = pa.list_(pa.field("element", pa.string(), nullable=False))

SCHEMA = pa.schema(
    [
        pa.field("path", pa.string()),
        pa.field("container", pa.string()),
        pa.field("member", pa.string()),
        pa.field("path_octets", pa.binary()),
        pa.field("member_octets", pa.binary()),
        pa.field("index", pa.int64()),
        pa.field("offset", pa.int64()),
        pa.field("length", pa.int64(), nullable=False),
        pa.field("sha256", pa.string(), nullable=False),
        pa.field("subject", pa.string()),
        pa.field("from", pa.string()),
        pa.field("to", pa.string()),
        pa.field("cc", pa.string()),
        pa.field("date", pa.timestamp("us", tz="UTC")),
        pa.field("date_text", pa.string()),
        pa.field("received_date", pa.timestamp("us", tz="UTC")),
        pa.field("message_id", pa.string()),
        pa.field("in_reply_to", _IDENTIFIERS, nullable=False),
        pa.field("references", _IDENTIFIERS, nullable=False),
        pa.field("store_flags", _IDENTIFIERS, nullable=False),
        pa.field("store_labels", _IDENTIFIERS, nullable=False),
        pa.field("store_thread", pa.string()),
        pa.field("fields", pa.list_(pa.field("element", _FIELD, nullable=False)), nullable=False),
        pa.field("parts", pa.list_(pa.field("element", _PART, nullable=False)), nullable=False),
        pa.field("findings", pa.list_(pa.field("element", FINDING, nullable=False)), nullable=False),
    ]
)
"""All columns. The README describes them."""

_PLACE = ("path", "container", "member", "path_octets", "member_octets", "index", "offset", "message_id")

ATTACHMENTS = pa.schema(
    [
        *(SCHEMA.field(name) for name in _PLACE),
        pa.field("section", pa.string(), nullable=False),
        pa.field("filename", pa.string()),
        pa.field("media_type", pa.string(), nullable=False),
        pa.field("octets", pa.int64(), nullable=False),
        pa.field("sha256", pa.string(), nullable=False),
    ]
)
"""The columns of ``attachments``."""

_Buffer = bytes | bytearray | memoryview | mmap
_Source = str | PathLike[str] | Piece | _Buffer


def schema(columns: Iterable[str] | None = None) -> pa.Schema:
    """The schema of these columns, in the order of ``SCHEMA``; by default of all columns.

    ``parts.text`` selects one key of the parts. An unknown column raises ``Error``, as does an empty list: a
    record batch without columns has no number of rows. A ``str`` raises ``TypeError``.

    >>> import mime_charset.arrow
    >>> mime_charset.arrow.schema(["subject", "parts.section", "parts.text"]).names
    ['subject', 'parts']
    """
    if columns is None:
        return SCHEMA
    columns = _names(columns)
    of_parts = {name: f"parts.{name}" for name in _PART.names}
    known = [*SCHEMA.names, *of_parts.values()]
    for name in columns:
        if name not in known:
            raise Error(f"expected columns from {', '.join(known)}, found {name!r}")
    chosen = []
    for field in SCHEMA:
        if field.name in columns:
            chosen.append(field)
        elif field.name == "parts":
            part = [_PART.field(name) for name, path in of_parts.items() if path in columns]
            if part:
                element = pa.field("element", pa.struct(part), nullable=False)
                chosen.append(pa.field("parts", pa.list_(element), nullable=False))
    return pa.schema(chosen)


def _names(columns: Iterable[str]) -> list[str]:
    """The names of the columns as a list, because an iterator can only be read once."""
    if isinstance(columns, str):
        raise TypeError(f"expected a list of columns, found the str {columns!r}")
    names = list(columns)
    if not names:
        raise Error("expected at least one column, found none")
    return names


def batches(
    sources: _Source | Iterable[_Source],
    *,
    columns: Iterable[str] | None = None,
    rows: int = 1000,
    octets: int = 1 << 26,
    threads: int = 0,
    on_error: Callable[[OSError], object] | None = None,
    progress: bool | Callable[..., Any] = False,
) -> Iterator[pa.RecordBatch]:
    """Reads messages from paths, pieces or octets, and yields record batches in their order.

    A batch is full at ``rows`` messages or ``octets`` octets. Memory holds one batch, and as much again that
    is read ahead. Only ``columns`` are decoded. ``threads`` is the number of threads that decode; 0 means one
    per processor. ``on_error`` is as in ``read``.

    ``progress`` counts messages. ``True`` shows a bar of tqdm if tqdm is installed. A function is called as
    tqdm is, with ``unit`` and ``total``, and returns an object with ``update(n)`` and ``close()``.

    If a column has 2 GiB of text or more in one batch, pyarrow raises an error; choose a lower ``octets``.
    """
    wanted = schema(columns)
    found = read(sources, threads, batch=rows, octets=octets, columns=columns_read(wanted), on_error=on_error)
    return _counted(record_batches(iter(found), wanted), _bar(progress))


def table(sources: _Source | Iterable[_Source], *, columns: Iterable[str] | None = None, **options: Any) -> pa.Table:
    """All record batches as one table in memory.

    >>> import mime_charset.arrow
    >>> mime_charset.arrow.table(b"Subject: x\\n\\n", columns=["subject"]).to_pylist()
    [{'subject': 'x'}]
    """
    names = None if columns is None else _names(columns)
    return pa.Table.from_batches(batches(sources, columns=names, **options), schema=schema(names))


def attachments(sources: _Source | Iterable[_Source], **options: Any) -> pa.Table:
    """The attachments of messages, one per row: the place of the message, and the name, media type, number of
    octets and SHA-256 of the attachment, after transfer decoding.

    Attachments are those of RFC 8621, section 4.1.4. ``options`` are those of ``read``, without columns.

    >>> import mime_charset.arrow
    >>> mail = b"Content-Type: image/gif; name=a.gif\\nContent-Disposition: attachment\\n\\nGIF"
    >>> mime_charset.arrow.attachments(mail).select(["filename", "media_type", "octets"]).to_pylist()
    [{'filename': 'a.gif', 'media_type': 'image/gif', 'octets': 3}]
    """
    found = read(sources, columns=ATTACHMENTS_READ, **options)
    return pa.Table.from_batches(attachment_batches(iter(found)), schema=ATTACHMENTS)


_OF_PARTS = [name for name in ATTACHMENTS.names if name not in _PLACE]

ATTACHMENTS_READ = [*_PLACE, *(f"parts.{name}" for name in _OF_PARTS), "parts.is_attachment"]
"""The columns that ``read`` has to decode for ``ATTACHMENTS``."""


def attachment_batches(found: Iterator[dict[str, list[Any]]]) -> Iterator[pa.RecordBatch]:
    """Converts the batches of ``read`` to record batches of ``ATTACHMENTS``."""
    for columns in found:
        rows: dict[str, list[Any]] = {name: [] for name in ATTACHMENTS.names}
        for at, parts in enumerate(columns["parts"]):
            for part in parts:
                if part["is_attachment"]:
                    for name in _PLACE:
                        rows[name].append(columns[name][at])
                    for name in _OF_PARTS:
                        rows[name].append(part[name])
        yield pa.RecordBatch.from_pydict(rows, schema=ATTACHMENTS)


def columns_read(wanted: pa.Schema) -> list[str]:
    """The columns that ``read`` has to decode."""
    names = []
    for field in wanted:
        if field.name == "parts":
            names += [f"parts.{of.name}" for of in field.type.value_type]
        else:
            names.append(_READ.get(field.name, field.name))
    return names


_READ = {"date": "date_seconds", "date_text": "date", "received_date": "received_seconds"}
"""The names of columns in ``read``, where they differ."""


def record_batches(found: Iterator[dict[str, list[Any]]], wanted: pa.Schema) -> Iterator[pa.RecordBatch]:
    """Converts the batches of ``read`` to record batches of this schema."""
    for columns in found:
        arrays = []
        for field in wanted:
            values = columns[_READ.get(field.name, field.name)]
            if pa.types.is_timestamp(field.type):
                values = [_microseconds(seconds) for seconds in values]
            arrays.append(pa.array(values, field.type))
        yield pa.RecordBatch.from_arrays(arrays, schema=wanted)


def _counted(batches: Iterator[pa.RecordBatch], bar: Any) -> Iterator[pa.RecordBatch]:
    try:
        for batch in batches:
            bar.update(batch.num_rows)
            yield batch
    finally:
        bar.close()


def _microseconds(seconds: int | None) -> int | None:
    """Microseconds since 1970, or ``None`` after the year 9999, where Python's ``datetime`` ends."""
    return None if seconds is None or seconds >= _END else seconds * 1_000_000


_END = 253_402_300_800
"""The first second of the year 10000 in UTC."""


class _Silent:
    """A progress bar that displays nothing."""

    def update(self, n: int) -> object:
        return None

    def close(self) -> object:
        return None


def _bar(progress: bool | Callable[..., Any]) -> Any:
    if progress is False:
        return _Silent()
    if progress is not True:
        return progress(unit=" messages", total=None)
    try:
        from tqdm.auto import tqdm
    except ImportError:
        return _Silent()
    return tqdm(unit=" messages", total=None)
