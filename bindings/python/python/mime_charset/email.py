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
    try:
        payload = part.get_payload()
    except (LookupError, TypeError, ValueError):
        # A charset parameter that the standard library stumbles over.
        payload = "\ufffd"
    if not isinstance(payload, str):
        return None
    left_out = set()
    if payload.isascii():
        octets = payload.encode("ascii")
    else:
        # Octets above 7F, which get_payload() has read in a charset of its own; undoing the
        # transfer encoding gives them as they were.
        octets = part.get_payload(decode=True)  # type: ignore[assignment]
        left_out = {"content-transfer-encoding"}
        if max(payload) > "\xff" and octets == payload.encode("raw-unicode-escape"):
            # A message out of text has characters, and no octets to be read.
            return payload
    wanted = {"content-type", "content-transfer-encoding", "content-disposition"} - left_out
    fields = [
        name.encode("ascii") + b": " + _octets(body).strip() + b"\n"
        for name, body in part.raw_items()
        if name.lower() in wanted
    ]
    return Message(b"".join(fields) + b"\n" + octets).root.text


def header(message: StandardMessage[Any, Any], name: str, default: str | None = None) -> str | None:
    """The text of the first field of this name, or ``default``."""
    for found, body in message.raw_items():
        if found.lower() == name.lower():
            return field(_octets(body), name).text
    return default


def _octets(text: object) -> bytes:
    """The octets that the standard library has as text: one above 7F as a lone surrogate."""
    return str(text).encode("utf-8", "surrogateescape")
