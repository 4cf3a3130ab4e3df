"""Microseconds of processor for a message, beside other readers: python bench.py FOLDER

Each reader is given the same octets and asked for Subject, From, To and every text; the second row
of this library also for every field and every finding. Medians of five rounds in one run. A reader
that is not installed is left out. `pip install mail-parser fast-mail-parser` installs the others.
"""

from __future__ import annotations

import email
import email.policy
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path

import mime_charset

Reader = Callable[[bytes], object]


def texts(octets: bytes) -> object:
    message = mime_charset.Message(octets)
    return message["Subject"], message["From"], message["To"], [part.text for part in message.parts]


def everything(octets: bytes) -> object:
    message = mime_charset.Message(octets)
    parts = [(part.text, part.findings, part.filename, part.charset) for part in message.parts]
    return message.fields, message.findings, parts


def standard(octets: bytes) -> object:
    message = email.message_from_bytes(octets, policy=email.policy.default)
    parts = [part.get_content() for part in message.walk() if part.get_content_maintype() == "text"]
    return message["Subject"], message["From"], message["To"], parts


def readers() -> dict[str, Reader]:
    found: dict[str, Reader] = {
        "mime_charset, texts": texts,
        "mime_charset, all": everything,
        "email (policy.default)": standard,
    }
    try:
        import fast_mail_parser

        def fast(octets: bytes) -> object:
            message = fast_mail_parser.parse_email(octets)
            return message.subject, message.headers, message.text_plain, message.text_html

        found["fast_mail_parser"] = fast
    except ImportError:
        pass
    try:
        import mailparser

        def mail_parser(octets: bytes) -> object:
            message = mailparser.parse_from_bytes(octets)
            return message.subject, message.from_, message.to, message.text_plain, message.text_html

        found["mail-parser"] = mail_parser
    except ImportError:
        pass
    return found


def measure(read: Reader, mails: list[bytes]) -> tuple[float, int]:
    """Microseconds of processor for a message, and how many raised."""
    raised = 0
    start = time.process_time()
    for octets in mails:
        try:
            read(octets)
        except Exception:
            raised += 1
    return (time.process_time() - start) / len(mails) * 1e6, raised


def columns(mails: list[bytes], threads: int) -> float:
    """Microseconds on the clock for a message."""
    start = time.perf_counter()
    for _ in mime_charset.read(mails, threads):
        pass
    return (time.perf_counter() - start) / len(mails) * 1e6


def main() -> None:
    files = sorted(path for path in Path(sys.argv[1]).rglob("*") if path.suffix == ".eml" and path.is_file())
    mails = [path.read_bytes() for path in files]
    print(f"{len(mails)} messages, {sum(map(len, mails))} octets, Python {sys.version.split()[0]}\n")
    print("| reader | µs | raised |\n|---|---:|---:|")
    for name, read in readers().items():
        slow = measure(read, mails[:20])[0] > 500
        rounds = [measure(read, mails) for _ in range(1 if slow and len(mails) > 2000 else 5)]
        print(f"| {name} | {statistics.median(cost for cost, _ in rounds):.1f} | {rounds[0][1]} |", flush=True)
    for threads in (1, 2):
        cost = statistics.median(columns(mails, threads) for _ in range(5))
        print(f"| mime_charset.read, all columns, threads: {threads}, on the clock | {cost:.1f} | 0 |")


if __name__ == "__main__":
    main()
