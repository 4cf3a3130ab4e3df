"""Runs the command `mime-charset` for each case. `MIME_CHARSET` names another command than the repository's."""

import datetime
import json
import os
import subprocess

from serve import NotOffered, serve

PROGRAM = os.environ.get("MIME_CHARSET", "../../target/release/mime-charset")


def output_of(*arguments, octets=b""):
    done = subprocess.run([PROGRAM, *arguments], input=octets, capture_output=True)
    if done.returncode:
        raise RuntimeError(done.stderr.decode("utf-8", "replace").strip())
    return done.stdout


def messages_of(octets, case):
    # Standard input is treated like a file; a single message must not be read as a mailbox.
    form = [] if "message" in case or case["ask"] == "messages" else ["--as", "message"]
    lines = output_of("inspect", "--json", "--text", *form, "-", octets=octets)
    return [json.loads(line) for line in lines.splitlines()]


def message_of(octets, case):
    return messages_of(octets, case)[case.get("message", 1) - 1]


def field(octets, case):
    name = case["field"].lower()
    texts = [field["text"] for field in message_of(octets, case)["fields"] if (field["name"] or "").lower() == name]
    return texts[0].strip(" \t\r\n") if texts else None


def zone(octets, case):
    date = message_of(octets, case)["date"]
    if date is None or date["text"].endswith("-00:00"):
        return None
    return datetime.datetime.fromisoformat(date["text"]).utcoffset() // datetime.timedelta(minutes=1)


def identifiers(octets, case):
    if case["field"].lower() not in ("message-id", "in-reply-to", "references"):
        raise NotOffered("identifiers of this field")
    found = message_of(octets, case)[case["field"].lower().replace("-", "_")]
    return [found] if isinstance(found, str) else found or []


def part(octets, case):
    return next(part for part in message_of(octets, case)["parts"] if part["part"] == case["part"])


def reading_text(octets, case):
    found = part(octets, case)
    return found.get("reading_text", found["text"])


def decode(octets, case):
    return output_of("decode", "--from", case["charset"], octets=octets).decode("utf-8")


def date(octets, case):
    found = message_of(octets, case)["date"]
    return found and found["unix_seconds"]


serve("mime-charset command", output_of("--version").decode().split()[1], {
    "field": field,
    "date": date,
    "zone": zone,
    "identifiers": identifiers,
    "fields": lambda octets, case: [field["name"] for field in message_of(octets, case)["fields"]],
    "file name": lambda octets, case: part(octets, case)["filename"],
    "text": lambda octets, case: part(octets, case)["text"],
    "flowed text": reading_text,
    "decode": decode,
    "messages": lambda octets, case: len(messages_of(octets, case)),
})
