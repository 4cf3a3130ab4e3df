"""``python -m mime_charset PATH...``: prints each message as one line of JSON (docs/json.md)."""

from __future__ import annotations

import argparse
import json
import os
import sys

from . import messages
from .inspect import message_json


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="python -m mime_charset",
        description="Write each message as one line of JSON, as `mime-charset inspect --json` does.",
    )
    parser.add_argument("paths", nargs="+", metavar="PATH", help="a mailbox, Maildir, folder or file")
    parser.add_argument("--text", action="store_true", help="write the texts of the parts too")
    arguments = parser.parse_args()
    failures = 0

    def tell(error: OSError) -> None:
        nonlocal failures
        failures += 1
        print(error, file=sys.stderr)

    sys.stdout.reconfigure(encoding="utf-8")  # type: ignore[union-attr]
    try:
        for path in arguments.paths:
            for message in messages(path, on_error=tell):
                print(json.dumps(message_json(message, arguments.text), ensure_ascii=False))
        sys.stdout.flush()
    except BrokenPipeError:
        # Standard output was closed. Python flushes it again at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return 2 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
