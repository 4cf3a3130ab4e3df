"""What is told about a text: plain values that compare, hash, pickle and unpack as tuples do."""

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
    """Its name, as docs/findings.md lists them."""
    effect: str
    """``noted``, ``assumed``, ``repaired`` or ``lost``."""
    within: str
    """Which octets are counted: ``source``, the message, or ``octets``, what was decoded."""
    offset: int
    """How many octets lie before it."""
    length: int
    """Of how many octets it speaks."""
    detail: str
    """The rest of the sentence."""


class Date(NamedTuple):
    """A date and time of day, as it is written (RFC 5322, section 3.3)."""

    time: datetime
    """With its offset; naive where that is unknown."""
    weekday: int | None
    """The day of the week as written, from 1 for Monday (ISO 8601); None where there is none."""
    text: str
    """As RFC 3339 has it; an unknown offset is ``-00:00``."""
    unix_seconds: int
    """The seconds since 1970; an unknown offset counts as UTC."""
    findings: tuple[Finding, ...]


class Evidence(NamedTuple):
    """Something that spoke for or against a charset."""

    kind: str
    side: str
    """``for``, ``against`` or ``neither``."""
    charset: str | None
    offset: int
    length: int
    detail: str


class Decision(NamedTuple):
    """Which charset a body is in, on whose word, and what spoke for and against it."""

    charset: str
    source: str
    """``declared``, ``bom``, ``document``, ``evidence``, ``detected`` or ``default``."""
    confidence: int
    """How likely the text read in it is right, in percent."""
    evidence: tuple[Evidence, ...]
    findings: tuple[Finding, ...]


class CharsetUse(NamedTuple):
    """Octets of a field that were read in one charset, and on whose word."""

    offset: int
    length: int
    charset: str
    source: str


class Decoded(NamedTuple):
    """Text out of octets, the charset that it was in, and on whose word."""

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
    """A file that is uuencoded in a text, as mail had attachments before MIME.

    >>> import mime_charset
    >>> part = mime_charset.Message(b"\\nbegin 644 cat.txt\\n#0V%T\\n`\\nend\\n").parts[0]
    >>> [(file.name, file.octets) for file in part.uuencoded]
    [('cat.txt', b'Cat')]
    """

    name: str
    """The file name, which a stranger chose."""
    octets: bytes
    """The octets of the file."""
    range: tuple[int, int]
    """Where its lines are in the text, in characters."""
    offset: int
    """The number of octets of the text in UTF-8 before its lines."""
    length: int
    """The number of octets of its lines in UTF-8."""
    findings: tuple[Finding, ...]
    """What was repaired or lost; offsets count octets of the text in UTF-8."""


class Field(NamedTuple):
    """A header field: a name and a body (RFC 5322, section 2.2)."""

    name: str
    text: str
    """The body, decoded and unfolded."""
    charsets: tuple[CharsetUse, ...]
    """Where anything but plain ASCII stood."""
    findings: tuple[Finding, ...]
    body: bytes
    """The body as written, with its folds, without the last line end."""
    range: tuple[int, int] | None
    """Where in the message the field begins and ends; ``None`` in a message that had to be decoded."""


class Mailbox(NamedTuple):
    """A name and an address (RFC 5322, section 3.4)."""

    name: str
    """The name, decoded; empty where there is none."""
    address: str
    """The address as text; octets of no character are U+FFFD and two hexadecimal digits."""
    octets: bytes
    """The address as it is written, without comments and white space."""

    def __str__(self) -> str:
        if self.name and self.address:
            return f"{self.name} <{self.address}>"
        return self.name or self.address


class Group(NamedTuple):
    """Mailboxes under a name (RFC 5322, section 3.4), of which there may be none."""

    name: str
    mailboxes: tuple[Mailbox, ...]

    def __str__(self) -> str:
        return f"{self.name}: {', '.join(map(str, self.mailboxes))};"


class Guess(NamedTuple):
    """What octets without a label are likely to be in."""

    charset: str
    source: str
    confidence: int
    """In percent."""
    runner_up: str | None
    """What they would be in else."""


class Label(NamedTuple):
    """What a label of a charset means."""

    label: str
    charset: str | None
    """The preferred MIME name of what it names."""
    mibenum: int | None
    """The number in the IANA registry."""
    matched: str
    """``exact``, ``loose``, ``repaired`` or ``unknown``."""
    decoded: bool
    """Whether there is a decoder for it."""
    reason: str | None
    """Why there is none."""


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
    """A file of an archive, or a range of a mailbox; it says where to read, and holds nothing."""

    path: str
    named: bool
    """Whether the file itself was asked for, and not a folder that it is in."""
    begin: int
    """Its messages are those whose entries begin at this octet or behind it,"""
    end: int | None
    """and before this one; ``None`` where they go on to the end."""


class Problem(NamedTuple):
    """Something that a person should look at after a conversion."""

    kind: str
    """``failed``, ``no-mail``, ``replaced``, or the name of a finding."""
    times: int
    """How often it was met."""
    examples: tuple[str, ...]
    """Where it was met first, at most three times, each in a sentence."""


class Conversion(NamedTuple):
    """How a conversion ended, and its numbers."""

    end: str
    """``done``; ``incomplete``, where files could not be converted; ``nothing-left``, where a run that
    was to be resumed is whole; ``cancelled`` or ``malformed``."""
    files: int
    """How many files there are at the destination."""
    messages: int
    octets: int
    """How many octets the messages had."""
    changed: int
    """How many messages were changed."""
    changed_fields: int
    changed_parts: int
    """How many parts have other octets now."""
    relabelled_parts: int
    """How many parts have another label now, and the same octets."""
    replacements: int
    """How often U+FFFD was written for what could not be decoded."""
    parts: int
    """How many text parts there were."""
    charsets: tuple[tuple[str, int], ...]
    """The charsets of the text parts, and how many parts were in each."""
    problems: tuple[Problem, ...]
    failed: tuple[str, ...]
    """A sentence for each file that could not be converted, of the first thousand."""
    no_mail: tuple[str, ...]
    """The files that are no mail and are not at the destination, the first thousand."""


class Mismatch(NamedTuple):
    """Something at a destination that is not as it has to be."""

    path: str
    message: int | None
    """The number of the message in its file, from 0."""
    offset: int | None
    """The first octet of the file that is another one."""
    sentence: str


class Proof(NamedTuple):
    """What a conversion was held to."""

    holds: bool
    """Whether all was compared, and all is as it has to be."""
    files: int
    """How many files are as they have to be; so of messages."""
    messages: int
    unchanged: int
    """How many octets are the same in source and destination."""
    fields: int
    """How many fields were changed, and say the same; so of parts."""
    parts: int
    relabelled: int
    """How many parts have another label, and the same octets."""
    second_readings: int
    """How many changed fields and parts a second reader reads alike."""
    mismatches: tuple[Mismatch, ...]
    """The first thousand."""
    failed: tuple[str, ...]
    """A sentence for each file that could not be read, of the first thousand."""
    left_out: int
    """The number of files and folders that the conversion left out, by its report."""
