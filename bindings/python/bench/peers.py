"""The mail readers that are compared: each returns the Subject and every text of a message.

`pip install mail-parser fast-mail-parser` installs those outside the standard library; missing ones are skipped.
"""

from __future__ import annotations

import email
import email.policy
import logging
import sys
from collections.abc import Callable
from importlib import metadata
from pathlib import Path
from typing import NamedTuple

import mime_charset


class Read(NamedTuple):
    """The result of a reader."""

    subject: str | None
    addresses: object
    texts: list[str]


Reader = Callable[[bytes], Read]


def texts(octets: bytes) -> Read:
    message = mime_charset.Message(octets)
    found = [text for part in message.parts if (text := part.text) is not None]
    return Read(message["Subject"], (message["From"], message["To"]), found)


def everything(octets: bytes) -> Read:
    message = mime_charset.Message(octets)
    parts = [(part.text, part.findings, part.filename, part.charset) for part in message.parts]
    message.fields, message.findings
    found = [text for text, *_ in parts if text is not None]
    return Read(message["Subject"], (message["From"], message["To"]), found)


def standard(octets: bytes) -> Read:
    message = email.message_from_bytes(octets, policy=email.policy.default)
    found = [part.get_content() for part in message.walk() if part.get_content_maintype() == "text"]
    return Read(message["Subject"], (message["From"], message["To"]), found)


def fast(octets: bytes) -> Read:
    import fast_mail_parser

    message = fast_mail_parser.parse_email(octets)
    return Read(message.subject, message.headers, [*message.text_plain, *message.text_html])


def slow(octets: bytes) -> Read:
    import mailparser

    message = mailparser.parse_from_bytes(octets)
    return Read(message.subject, (message.from_, message.to), [*message.text_plain, *message.text_html])


OURS = {"mime_charset, texts": texts, "mime_charset, all": everything}


def peers() -> dict[str, Reader]:
    """Readers by name and version."""
    logging.disable(logging.CRITICAL)
    found: dict[str, Reader] = {}
    for name, reader in {"fast_mail_parser": fast, "mail-parser": slow}.items():
        try:
            found[f"{name} {metadata.version(name)}"] = reader
        except metadata.PackageNotFoundError:
            continue
    return found | {f"email of Python {sys.version.split()[0]}": standard}


def mails(source: str) -> dict[Path, bytes]:
    """Messages of a folder by file, or of a mailbox by number."""
    if Path(source).is_file():
        return {Path(str(message.index)): message.source for message in mime_charset.messages(source)}
    files = sorted(path for path in Path(source).rglob("*.eml") if path.is_file())
    return {path: path.read_bytes() for path in files}
