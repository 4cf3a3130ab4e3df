"""The messages with other texts in other mail readers, by cause: python texts.py PATH [--list]

Compares the Subject and the texts of text/plain and text/html, ignoring line endings and white space at the ends
of lines. A message counts under the first cause of each kind.
"""

from __future__ import annotations

import sys
from collections import defaultdict
from difflib import SequenceMatcher
from pathlib import Path

from peers import Read, mails, peers

import mime_charset
from mime_charset import Message, Part

COMPARED = {"text/plain", "text/html"}


def lines(text: object) -> str:
    """A text without the white space that is not compared."""
    return "\n".join(line.rstrip() for line in str(text).splitlines()).strip()


def words(text: object) -> str:
    return " ".join(str(text).split())


def is_apart(part: Part) -> bool:
    """Whether a part is an attachment, or inside an attachment or an embedded message."""
    around: Part | None = part
    while around is not None:
        if around.disposition == "attachment" or around.filename or (around is not part and around.is_message):
            return True
        around = around.parent
    return False


def nearest(text: str, parts: list[Part]) -> Part | None:
    """The part that a text most likely comes from."""
    ascii_ = "".join(filter(str.isascii, text))[:2000]

    def likeness(part: Part) -> float:
        own = "".join(filter(str.isascii, part.text or ""))[:2000]
        return SequenceMatcher(None, ascii_, own, autojunk=False).ratio()

    return max(parts, key=likeness, default=None)


def cause_of_text(text: str, message: Message) -> str:
    part = nearest(text, [part for part in message.parts if part.text is not None])
    if part is None or part.text is None:
        return "a text where there is none"
    for other in message.parts:
        if other.media_type.startswith("message/") and words(text) in words(other.body.decode("ascii", "replace")):
            if other.transfer_encoding == "base64":
                return "the base64 of an embedded message is not decoded"
            return "a report for programs (RFC 3464) is returned as text"
    kinds = {finding.kind for finding in part.findings}
    if kinds & {"label-overridden", "unknown-label", "mislabelled"}:
        return "octets prove the label wrong, and are read by it"
    if "detected-charset" in kinds:
        return "octets above 7F have no label, or that of ASCII"
    if words(text) == words(part.text):
        return "white space"
    if words(text) in words(part.text):
        return "is cut off"
    return "other"


def cause_of_subject(subject: str, message: Message) -> str:
    own = message["Subject"] or ""
    kinds = {finding.kind for field in message.fields if field.name.lower() == "subject" for finding in field.findings}
    if "".join(subject.split()) == "".join(own.split()):
        return "line ends of folds are kept (RFC 5322, section 2.2.3), or white space is removed"
    if len(message.get_all("Subject")) > 1:
        return "a list, if there are several"
    if "raw-octets" in kinds:
        return "octets above 7F without a label"
    if "=?" in subject or subject.isascii() > own.isascii():
        return "encoded words are not decoded"
    return "other"


def causes(read: Read, message: Message) -> set[str]:
    """The differences, each with its first cause."""
    found = set()
    if lines(read.subject or "") != lines(message["Subject"] or ""):
        found.add(f"Subject: {cause_of_subject(str(read.subject or ''), message)}")
    ours = [part for part in message.parts if part.text is not None]
    others = {lines(text) for text in read.texts}
    for text in sorted(others - {lines(part.text) for part in ours}):
        if text:
            found.add(f"Text: {cause_of_text(text, message)}")
    if not any(cause.startswith("Text") for cause in found):
        compared = [part for part in ours if part.media_type in COMPARED and lines(part.text)]
        missing = [part for part in compared if lines(part.text) not in others]
        if any(not is_apart(part) for part in missing):
            found.add("Text: one is missing")
        elif missing:
            found.add("Text: those attached, or in embedded messages, are missing")
    has_odd_line = any(finding.kind == "header-line" for finding in message.findings)
    if found and has_odd_line and not any("a list" in cause for cause in found):
        return {"A line that is not a field ends the header, or breaks the boundary"}
    return found


def main() -> None:
    folder, *options = sys.argv[1:]
    octets = mails(folder)
    print(f"{len(octets)} messages\n")
    table: dict[str, dict[str, list[Path]]] = defaultdict(lambda: defaultdict(list))
    readers = peers()
    for name, reader in readers.items():
        for path, source in octets.items():
            try:
                found = causes(reader(source), Message(source))
            except Exception:
                found = {"An exception is raised"}
            for cause in found:
                table[cause][name].append(path)
    print("| cause |", " | ".join(readers), "|")
    print("|---|" + "---:|" * len(readers))
    for cause in sorted(table):
        print(f"| {cause} |", " | ".join(str(len(table[cause][name])) for name in readers), "|")
    if "--list" in options:
        for cause in sorted(table):
            for name in readers:
                for path in table[cause][name]:
                    print(f"{cause}\t{name}\t{path}")


if __name__ == "__main__":
    main()
