"""Results as named tuples, which compare, hash, pickle and unpack; and an exception."""

from __future__ import annotations

from datetime import datetime
from typing import NamedTuple


class Finding(NamedTuple):
    """Something that was assumed, repaired or lost, or only noted.

    >>> import mime_charset
    >>> text = mime_charset.decode(b"caf\\xe9", "utf-8")
    >>> [finding.kind for finding in text.findings]
    ['detected-charset', 'label-overridden']
    """

    kind: str
    """One of the names in docs/findings.md."""
    effect: str
    """``noted``, ``assumed``, ``repaired`` or ``lost``."""
    within: str
    """What the offset refers to: ``source``, the message, or ``octets``, the decoded octets."""
    offset: int
    """The offset of the octets it is about."""
    length: int
    """The number of these octets."""
    detail: str
    """Details, without the kind."""


class Date(NamedTuple):
    """A date and time (RFC 5322, section 3.3)."""

    time: datetime
    """Aware; naive if the offset from UTC is unknown."""
    weekday: int | None
    """The day of the week as written, from 1 for Monday (ISO 8601), or ``None``."""
    text: str
    """The date in the form of RFC 3339; an unknown offset is ``-00:00``."""
    unix_seconds: int
    """Seconds since 1970; an unknown offset counts as UTC."""
    findings: tuple[Finding, ...]


class Evidence(NamedTuple):
    """Evidence for or against a charset."""

    kind: str
    side: str
    """``for``, ``against`` or ``neither``."""
    charset: str | None
    offset: int
    length: int
    detail: str


class Decision(NamedTuple):
    """The charset of a body, with the source of that decision and the evidence."""

    charset: str
    source: str
    """``declared``, ``bom``, ``document``, ``evidence``, ``detected`` or ``default``."""
    confidence: int
    """The probability that the decoded text is right, in percent."""
    evidence: tuple[Evidence, ...]
    findings: tuple[Finding, ...]


class CharsetUse(NamedTuple):
    """A range of a field that was decoded from one charset, with the source of that decision."""

    offset: int
    length: int
    charset: str
    source: str


class Decoded(NamedTuple):
    """Decoded text, with its charset and the source of that decision."""

    text: str
    charset: str
    source: str
    findings: tuple[Finding, ...]


class FieldText(NamedTuple):
    """The text of a field body."""

    text: str
    charsets: tuple[CharsetUse, ...]
    findings: tuple[Finding, ...]


class Uuencoded(NamedTuple):
    """A uuencoded file in a text, which is how mail had attachments before MIME.

    >>> import mime_charset
    >>> part = mime_charset.Message(b"\\nbegin 644 cat.txt\\n#0V%T\\n`\\nend\\n").parts[0]
    >>> [(file.name, file.octets) for file in part.uuencoded]
    [('cat.txt', b'Cat')]
    """

    name: str
    """The file name as the sender wrote it; not safe to save under."""
    octets: bytes
    """The octets of the file."""
    range: tuple[int, int]
    """The range of its lines in the text, in characters."""
    offset: int
    """The number of octets of the text in UTF-8 before its lines."""
    length: int
    """The number of octets of its lines in UTF-8."""
    findings: tuple[Finding, ...]
    """Repairs and losses; offsets count octets of the text in UTF-8."""


class Field(NamedTuple):
    """A header field: a name and a body (RFC 5322, section 2.2)."""

    name: str
    text: str
    """The body, decoded and unfolded."""
    charsets: tuple[CharsetUse, ...]
    """The charsets of the ranges that are not plain ASCII."""
    findings: tuple[Finding, ...]
    body: bytes
    """The body as written, with its folds, without the last line ending."""
    range: tuple[int, int] | None
    """The range of the field in the message; ``None`` if the message had a transfer encoding."""


class Mailbox(NamedTuple):
    """A name and an address (RFC 5322, section 3.4)."""

    name: str
    """The decoded name; empty if there is none."""
    address: str
    """The address as text; a malformed octet is U+FFFD and two hexadecimal digits."""
    octets: bytes
    """The address as written, without comments and white space."""

    def __str__(self) -> str:
        if self.name and self.address:
            return f"{self.name} <{self.address}>"
        return self.name or self.address


class Group(NamedTuple):
    """A named group of mailboxes (RFC 5322, section 3.4); it may be empty."""

    name: str
    mailboxes: tuple[Mailbox, ...]

    def __str__(self) -> str:
        return f"{self.name}: {', '.join(map(str, self.mailboxes))};"


class Guess(NamedTuple):
    """The most likely charset of octets without a label."""

    charset: str
    source: str
    confidence: int
    """In percent."""
    runner_up: str | None
    """The next most likely charset."""


class Label(NamedTuple):
    """The meaning of a charset label."""

    label: str
    charset: str | None
    """The preferred MIME name of the charset."""
    mibenum: int | None
    """Its MIBenum in the IANA registry."""
    matched: str
    """``exact``, ``loose``, ``repaired`` or ``unknown``."""
    decoded: bool
    """Whether this library decodes the charset."""
    reason: str | None
    """The reason if it does not."""


class ContentType(NamedTuple):
    """A Content-Type (RFC 2045, section 5.1)."""

    media_type: str
    """Type and subtype, in lower case."""
    charset: str | None
    """The label as declared."""
    parameters: tuple[tuple[str, str], ...]
    """Names in lower case, and decoded values (RFC 2231)."""
    findings: tuple[Finding, ...]


class Piece(NamedTuple):
    """A file of an archive, or a range of a mailbox: where to read, without any content."""

    path: str
    named: bool
    """Whether the caller named the file itself, not a folder that contains it."""
    begin: int
    """Its messages begin at or after this offset,"""
    end: int | None
    """and before this one; ``None`` means the end of the file."""


class UnreadableError(OSError):
    """A file that cannot be read for a reason without an error number, such as a truncated compressed file.

    ``filename`` is its path; ``errno`` is ``None``.
    """

    def __str__(self) -> str:
        return str(self.strerror)


class Problem(NamedTuple):
    """Something to review after a conversion."""

    kind: str
    """``failed``, ``unread``, ``no-mail``, ``undelivered``, ``partial``, ``replaced``, or the name of a
    finding."""
    times: int
    """The number of occurrences."""
    examples: tuple[str, ...]
    """The first three occurrences, each as a sentence."""


class Conversion(NamedTuple):
    """The outcome of a conversion, and its counts."""

    end: str
    """``done``; ``incomplete`` if files could not be converted; ``nothing-left`` if the run to resume was
    already complete; ``cancelled`` or ``malformed``."""
    files: int
    """The number of files at the destination."""
    messages: int
    octets: int
    """The size of the messages in octets."""
    changed: int
    """The number of changed messages."""
    changed_fields: int
    changed_parts: int
    """The number of parts whose octets changed."""
    relabelled_parts: int
    """The number of parts with a new label and the same octets."""
    replacements: int
    """The number of U+FFFD written for octets that could not be decoded."""
    parts: int
    """The number of text parts."""
    charsets: tuple[tuple[str, int], ...]
    """The number of text parts in each charset."""
    problems: tuple[Problem, ...]
    failed: tuple[str, ...]
    """A sentence for each file that could not be converted, at most a thousand."""
    no_mail: tuple[str, ...]
    """The files that are not mail and were not copied, at most a thousand."""


class Mismatch(NamedTuple):
    """A difference between a destination and the expected conversion."""

    path: str
    message: int | None
    """The index of the message in its file, from 0."""
    offset: int | None
    """The offset of the first octet that differs."""
    sentence: str


class Proof(NamedTuple):
    """The proof of a conversion: the numbers compared, and whether everything is correct."""

    holds: bool
    """Whether everything was compared and is correct."""
    files: int
    """The number of correct files."""
    messages: int
    """The number of correct messages."""
    unchanged: int
    """The number of octets that are equal in source and destination."""
    fields: int
    """The number of changed fields with the same text."""
    parts: int
    """The number of changed parts with the same text."""
    relabelled: int
    """The number of parts with a new label and the same octets."""
    second_readings: int
    """The number of changed fields and parts that mailparse decodes to the same text."""
    left_out: int
    """The number of files and folders that the conversion left out, according to its report."""
    accepted_unread: int
    """The number of files that the conversion could not read, as the caller or the report accepts."""
    mismatches: tuple[Mismatch, ...]
    """The differences, at most a thousand."""
    failed: tuple[str, ...]
    """A sentence for each file that could not be read, at most a thousand."""
