"""The C interface decodes the corpus like the command: corpus.py PROGRAM COMMAND FOLDER."""

import json
import subprocess
import sys
from pathlib import Path

program, command, folder = sys.argv[1:]
paths = sorted(map(str, Path(folder).glob("*.eml")))
assert paths, folder
lines = subprocess.run([program, *paths], check=True, capture_output=True, text=True).stdout
read: dict[str, list[tuple[str, str]]] = {}
for line in lines.splitlines():
    word, _, rest = line.partition(" ")
    if word == "message":
        pieces = read.setdefault(rest, [])
    else:
        pieces.append((word, bytes.fromhex(rest).decode()))

said = subprocess.run([command, "inspect", "--json", "--text", *paths], check=True, capture_output=True).stdout
messages = [json.loads(line) for line in said.splitlines()]
assert [message["path"] for message in messages] == paths
texts = 0
for message in messages:
    expected = []
    for field in message["fields"]:
        if field["name"] is not None:
            expected.append(("field", field["text"]))
            expected += [("finding", finding["kind"]) for finding in field["findings"]]
    for part in message["parts"]:
        expected += [("part", part["part"]), ("media_type", part["media_type"])]
        for key in ("filename", "charset", "source", "text"):
            value = part.get(key)
            if isinstance(value, dict):
                value = value["text"]
            if value is not None:
                expected.append((key, value))
        texts += part.get("text") is not None
    assert read[message["path"]] == expected, (message["path"], read[message["path"]], expected)
print(f"{len(messages)} messages, {texts} texts: equal")
