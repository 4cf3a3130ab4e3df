"""Messages in the JSON of ``mime-charset inspect --json`` (docs/json.md)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ._native import Message, Part
from .values import Date, Field, Finding


def message_json(message: Message, text: bool = False) -> dict[str, Any]:
    """A message as a dictionary in the order of its keys, with the texts of its parts if ``text`` is true.

    >>> import mime_charset
    >>> message_json(mime_charset.Message(b"Subject: x\\n\\nText"))["fields"]
    [{'name': 'Subject', 'text': 'x', 'charsets': [], 'findings': []}]
    """
    date, received_date = message._dates
    return {
        "path": message.path,
        **_names(message),
        "index": message.index,
        **_store(message),
        "date": _date(date),
        "received_date": _date(received_date),
        "message_id": message.message_id,
        "in_reply_to": message.in_reply_to,
        "references": message.references,
        "fields": _fields(message.fields),
        "parts": [_part(part, text) for part in message.parts],
        "findings": _findings(message.findings),
    }


def _names(message: Message) -> dict[str, str]:
    """The names of a member and its container, and octets that are not UTF-8 in hexadecimal digits."""
    names = {"container": message.container, "member": message.member}
    octets = {"path_octets": message.path_octets, "member_octets": message.member_octets}
    names |= {key: None if value is None else value.hex() for key, value in octets.items()}
    return {key: name for key, name in names.items() if name is not None}


def _store(message: Message) -> dict[str, Any]:
    store = {"flags": message.store_flags, "labels": message.store_labels, "thread": message.store_thread}
    return {"store": store} if any(store.values()) else {}


def _date(date: Date | None) -> dict[str, Any] | None:
    if date is None:
        return None
    return {"text": date.text, "unix_seconds": date.unix_seconds, "findings": _findings(date.findings)}


def _fields(fields: Iterable[Field]) -> list[dict[str, Any]]:
    return [
        {
            "name": field.name,
            "text": field.text,
            "charsets": [used._asdict() for used in field.charsets],
            "findings": _findings(field.findings),
        }
        for field in fields
    ]


def _part(part: Part, text: bool) -> dict[str, Any]:
    value: dict[str, Any] = {
        "part": part.section,
        "media_type": part.media_type,
        "label": part.label,
        "charset": part.charset,
        "source": part.source,
        "transfer_encoding": part.transfer_encoding,
        "disposition": part.disposition,
        "filename": part.filename,
        "octets": len(part.octets),
    }
    if text and part.is_text:
        value["text"] = part.text
        if part.reading_text != part.text:
            value["reading_text"] = part.reading_text
    files = part.uuencoded
    if files:
        value["uuencoded"] = [
            {
                "name": file.name,
                "octets": len(file.octets),
                "offset": file.offset,
                "length": file.length,
                "findings": _findings(file.findings),
            }
            for file in files
        ]
    if part.is_message and part.children:
        value["fields"] = _fields(part.children[0].fields)
    value["findings"] = _findings(part.findings)
    return value


def _findings(findings: Iterable[Finding]) -> list[dict[str, Any]]:
    return [
        {
            "kind": finding.kind,
            "effect": finding.effect,
            "in": finding.within,
            "offset": finding.offset,
            "length": finding.length,
            "detail": finding.detail,
        }
        for finding in findings
    ]
