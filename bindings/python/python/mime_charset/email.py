"""Exact text for programs that hold messages of the standard library's ``email``.

>>> import email, mime_charset
>>> message = email.message_from_bytes(
...     b"Subject: =?ks_c_5601-1987?B?x9Gxub7u?=\\n"
...     b"Content-Type: text/plain; charset=us-ascii\\n\\ncaf\\xc3\\xa9"
... )
>>> mime_charset.email.header(message, "Subject"), mime_charset.email.text(message)
('한국어', 'café')
"""

from __future__ import annotations

from email.message import Message as StandardMessage
from typing import Any

from ._native import Message, field


def text(part: StandardMessage[Any, Any]) -> str | None:
    """The text of a part that is no multipart; ``None`` for what is no text.

    What the rest of its message says of the charset is not known here: ``Message`` of the whole
    octets knows more.
    """
    if part.is_multipart():
        return None
    # As it stands: get_payload() reads octets above 7F in a charset of its own, or undoes the
    # transfer encoding in its own way.
    payload: object = part._payload  # type: ignore[attr-defined]
    if not isinstance(payload, str):
        return None
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
    # A message out of text has characters, and no octets to be read.
    return payload


def header(message: StandardMessage[Any, Any], name: str, default: str | None = None) -> str | None:
    """The text of the first field of this name, or ``default``.

    What the rest of its message says of the charset is not known here: ``Message`` of the whole
    octets knows more.
    """
    for found, body in message.raw_items():
        if found.lower() == name.lower():
            return field(_octets(body), name).text
    return default


def _octets(text: object) -> bytes:
    """The octets that the standard library has as text: one above 7F as a lone surrogate."""
    return str(text).encode("utf-8", "surrogateescape")


def _has_octets(text: str) -> bool:
    return any("\udc80" <= character <= "\udcff" for character in text)
