"""Exact text of mail in every charset, with the source of each decision, repairs and losses.

>>> import mime_charset
>>> message = mime_charset.Message(
...     b"Subject: =?euc-kr?B?x9Gxub7u?=\\r\\n"
...     b"Content-Type: text/plain; charset=iso-8859-1\\r\\n"
...     b"\\r\\n"
...     b"caf\\xc3\\xa9"
... )
>>> message["Subject"]
'한국어'

The label says ISO-8859-1, but the octets are UTF-8. The findings report it.

>>> part = message.parts[0]
>>> part.text, part.label, part.charset, part.source
('café', 'iso-8859-1', 'UTF-8', 'evidence')
>>> [finding.kind for finding in part.findings]
['eight-bit-data', 'label-overridden']
"""

from . import email
from ._native import (
    Batches,
    Error,
    Message,
    Messages,
    Part,
    __version__,
    addresses,
    content_type,
    convert,
    date,
    decode,
    detect,
    field,
    labels,
    messages,
    pieces,
    read,
    verify,
)
from .codecs import register_codecs
from .values import (
    CharsetUse,
    ContentType,
    Conversion,
    Date,
    Decision,
    Decoded,
    Evidence,
    Field,
    FieldText,
    Finding,
    Group,
    Guess,
    Label,
    Mailbox,
    Piece,
    Mismatch,
    Problem,
    Proof,
    Uuencoded,
)

__all__ = [
    "Batches",
    "CharsetUse",
    "ContentType",
    "Conversion",
    "Date",
    "Decision",
    "Decoded",
    "Error",
    "Evidence",
    "Field",
    "FieldText",
    "Finding",
    "Group",
    "Guess",
    "Label",
    "Mailbox",
    "Message",
    "Messages",
    "Mismatch",
    "Part",
    "Piece",
    "Problem",
    "Proof",
    "Uuencoded",
    "__version__",
    "addresses",
    "content_type",
    "convert",
    "date",
    "decode",
    "detect",
    "email",
    "field",
    "labels",
    "messages",
    "pieces",
    "read",
    "register_codecs",
    "verify",
]
