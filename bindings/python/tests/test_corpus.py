"""The corpus through the wheel, compared with the truth and with the command."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import CORPUS, MAIL

import mime_charset
from mime_charset import Message
from mime_charset.inspect import message_json


def normalized(text: str) -> str:
    """Ignores line endings, and blank lines at the end (corpus/README.md)."""
    lines = [line.rstrip() for line in re.split("\r\n|\r|\n", text)]
    return "\n".join(lines).rstrip()


def sections(truth: str) -> list[tuple[str, str]]:
    """The first line of each section of a truth, and the lines after it."""
    pieces: list[tuple[str, list[str]]] = [("", [])]
    for line in truth.split("\n"):
        if line.startswith(("--- part ", "--- message ")):
            pieces.append((line, []))
        else:
            pieces[-1][1].append(line)
    return [(head, "\n".join(rest)) for head, rest in pieces]


@pytest.mark.parametrize("path", MAIL, ids=lambda path: path.stem)
def test_truth(path: Path) -> None:
    message = Message(path.read_bytes())
    truth = (CORPUS / "truth" / f"{path.stem}.txt").read_text("utf-8")
    for head, rest in sections(truth):
        words = head.split(" ")
        if words[0] == "" or words[1] == "message":
            if words[0] == "":
                owner = message.root
            else:
                outer = message.part(words[2])
                assert outer is not None
                owner = outer.children[0]
            for line in filter(None, rest.split("\n")):
                name, _, value = line.partition(": ")
                if name == "From":
                    mailbox = owner.addresses(name)[0]
                    assert isinstance(mailbox, mime_charset.Mailbox)
                    found: str | None = mailbox.name or mailbox.address
                else:
                    found = owner[name]
                assert found is not None and normalized(found) == normalized(value)
        else:
            _, _, section, media_type, charset = words
            part = message.part(section)
            assert part is not None and part.media_type == media_type
            if rest.startswith("filename: "):
                name, _, rest = rest.removeprefix("filename: ").partition("\n")
                assert part.filename == name
            if charset != "-":
                assert part.charset == charset
                assert part.text is not None and normalized(part.text) == normalized(rest)


def test_the_same_json_as_the_command() -> None:
    """Field by field, for every message and every mailbox in the corpus."""
    command = os.environ.get("MIME_CHARSET_COMMAND")
    if command is None:
        pytest.skip("MIME_CHARSET_COMMAND is not set")
    paths = [str(CORPUS / "mail"), str(CORPUS / "archive"), str(CORPUS / "malformed")]
    run = subprocess.run([command, "inspect", "--json", "--text", *paths], capture_output=True)
    expected = [json.loads(line) for line in run.stdout.splitlines()]
    found = [
        message_json(message, text=True)
        for path in paths
        for message in mime_charset.messages(path, on_error=lambda error: None)
    ]
    assert len(found) == len(expected) > len(MAIL)
    for ours, theirs in zip(found, expected, strict=True):
        assert ours == theirs
        assert list(ours) == list(theirs)


def test_as_a_program() -> None:
    """One line of JSON per message; a missing path is reported, and the rest is read."""
    mailbox = CORPUS / "archive" / "mboxrd.mbox"
    run = subprocess.run([sys.executable, "-m", "mime_charset", "no such file", str(mailbox)], capture_output=True)
    lines = [json.loads(line) for line in run.stdout.splitlines()]
    assert [line["index"] for line in lines] == list(range(7))
    assert run.returncode == 2 and b"no such file" in run.stderr
