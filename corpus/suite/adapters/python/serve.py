"""Reads cases and writes answers, for the adapters in Python."""

import base64
import contextlib
import json
import pathlib
import sys
import tempfile


class NotOffered(Exception):
    """The library has no call for this case; the sentence says what is missing."""


def serve(name, version, asks):
    """Answers each case with `asks[question](octets of the input, case)`."""
    print(json.dumps({"name": name, "version": version, "asks": list(asks)}), flush=True)
    for line in sys.stdin:
        case = json.loads(line)
        try:
            answer = asks[case["ask"]](base64.b64decode(case["base64"]), case)
            reply = json.dumps({"id": case["id"], "answer": answer})
        except NotOffered as lack:
            reply = json.dumps({"id": case["id"], "not offered": str(lack)})
        except Exception as error:
            reply = json.dumps({"id": case["id"], "error": f"{type(error).__name__}: {error}"})
        print(reply, flush=True)


def encoded(octets):
    return base64.b64encode(octets).decode("ascii")


def grouped(groups):
    """The suite's form of (name, mailboxes): adjacent mailboxes outside groups are together."""
    answer = []
    for name, mailboxes in groups:
        if name is None and answer and answer[-1]["group"] is None:
            answer[-1]["addresses"] += mailboxes
        else:
            answer.append({"group": name, "addresses": mailboxes})
    return answer


@contextlib.contextmanager
def as_file(octets, name):
    """The path of a temporary file with these octets."""
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder, name)
        path.write_bytes(octets)
        yield path
