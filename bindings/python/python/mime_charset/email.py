"""Exact text for messages of the standard library's ``email``.

>>> import email, mime_charset
>>> message = email.message_from_bytes(
...     b"Subject: =?ks_c_5601-1987?B?x9Gxub7u?=\\n"
...     b"Content-Type: text/plain; charset=us-ascii\\n\\ncaf\\xc3\\xa9"
... )
>>> mime_charset.email.header(message, "Subject"), mime_charset.email.text(message)
('한국어', 'café')
"""

from __future__ import annotations

import re
from email.message import Message as StandardMessage
from typing import Any

from ._native import Message, field


def text(part: StandardMessage[Any, Any]) -> str | None:
    """The text of a part; ``None`` for a multipart and for a part that is not text.

    The charset is chosen without the rest of the message. ``Message`` uses all octets of the message, and is
    right more often.
    """
    if part.is_multipart():
        return None
    # The payload as parsed: get_payload() decodes octets above 7F and transfer encodings by its own rules.
    payload: object = part._payload  # type: ignore[attr-defined]
    if not isinstance(payload, str):
        return None
    payload = _characters(payload)
    wanted = {"content-type", "content-transfer-encoding", "content-disposition"}
    fields = [
        name.encode("ascii") + b": " + _octets(body).strip() + b"\n"
        for name, body in part.raw_items()
        if name.lower() in wanted
    ]
    root = Message(b"".join(fields) + b"\n" + _octets(payload)).root
    is_encoded = root.transfer_encoding in ("quoted-printable", "base64", "x-uuencode")
    if root.text is None or is_encoded or payload.isascii() or _has_octets(payload):
        return root.text
    # A message that was parsed from text has characters instead of octets.
    return payload


def header(message: StandardMessage[Any, Any], name: str, default: str | None = None) -> str | None:
    """The text of the first field of this name, or ``default``.

    The charset is chosen without the rest of the message, as in ``text``.
    """
    for found, body in message.raw_items():
        if found.lower() == name.lower():
            return field(_octets(body), name).text
    return default


def _octets(text: object) -> bytes:
    """Octets from text of the standard library, in which an octet above 7F is a lone surrogate."""
    return _characters(str(text)).encode("utf-8", "surrogateescape")


def _characters(text: str) -> str:
    """The text with U+FFFD for each lone surrogate that is not an octet, such as half of a pair from JSON."""
    return re.sub("[\ud800-\udc7f\udd00-\udfff]", "\ufffd", text)


def _has_octets(text: str) -> bool:
    return any("\udc80" <= character <= "\udcff" for character in text)
