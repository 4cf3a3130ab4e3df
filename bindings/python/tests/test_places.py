"""Locations of messages, what a mail store records about them, and their attachments."""

from __future__ import annotations

import hashlib
import io
import json
import os
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

import mime_charset
import mime_charset.inspect

MAIL = b"Subject: x\n\ntext\n"


def archive(folder: Path) -> Path:
    """A tar file with a name that is not UTF-8, a zip file, a Maildir and a file."""
    folder.mkdir()
    with tarfile.open(folder / "a.tar", "w", encoding="utf-8", errors="surrogateescape") as tar:
        name = os.fsdecode(b"\xc7\xd1.eml")
        info = tarfile.TarInfo(name)
        info.size = len(MAIL)
        tar.addfile(info, io.BytesIO(MAIL))
    with zipfile.ZipFile(folder / "b.zip", "w") as zipped:
        zipped.writestr("x in y/1.eml", MAIL)
    for name in ("cur", "new", "tmp"):
        (folder / "c" / name).mkdir(parents=True)
    (folder / "c" / "cur" / "1.a:2,FS").write_bytes(MAIL)
    (folder / "d.eml").write_bytes(b"X-Mozilla-Status: 0009\nX-Gmail-Labels: =?utf-8?Q?=C3=A9?=,\"a, b\"\nX-GM-THRID: 7\n\n")
    return folder


@pytest.mark.skipif(sys.platform == "win32", reason="a colon in a name")
def test_names_and_states_are_values(tmp_path: Path) -> None:
    folder = archive(tmp_path / "old")
    tar, zipped = str(folder / "a.tar"), str(folder / "b.zip")
    expected = [
        (tar, "\ufffd\ufffd.eml", None, b"\xc7\xd1.eml"),
        (zipped, "x in y/1.eml", None, None),
        (None, None, None, None),
        (None, None, None, None),
    ]
    names = ("container", "member", "path_octets", "member_octets")
    states = [([], [], None), ([], [], None), (["seen", "flagged"], [], None), (["seen", "deleted"], ["é", "a, b"], "7")]
    of_state = ("store_flags", "store_labels", "store_thread")
    messages = list(mime_charset.messages(folder))
    assert [tuple(getattr(message, name) for name in names) for message in messages] == expected
    assert [tuple(getattr(message, name) for name in of_state) for message in messages] == states
    (batch,) = mime_charset.read(folder, columns=[*names, *of_state])
    assert list(zip(*(batch[name] for name in names), strict=True)) == expected
    assert list(zip(*(batch[name] for name in of_state), strict=True)) == states
    first, last = (mime_charset.inspect.message_json(messages[at]) for at in (0, 3))
    assert first["container"] == tar and first["member_octets"] == "c7d12e656d6c" and "path_octets" not in first
    assert last["store"] == {"flags": ["seen", "deleted"], "labels": ["é", "a, b"], "thread": "7"}
    assert "store" not in first and "member" not in last


@pytest.mark.skipif(sys.platform == "win32", reason="a colon in a name")
def test_json_equals_the_command(tmp_path: Path) -> None:
    command = os.environ.get("MIME_CHARSET_COMMAND")
    if command is None:
        pytest.skip("MIME_CHARSET_COMMAND is not set")
    folder = archive(tmp_path / "old")
    expected = subprocess.run([command, "inspect", "--json", folder], capture_output=True, check=True).stdout
    found = subprocess.run([sys.executable, "-m", "mime_charset", folder], capture_output=True, check=True).stdout
    assert len(found.splitlines()) == 4
    assert [json.loads(line) for line in found.splitlines()] == [json.loads(line) for line in expected.splitlines()]


def test_attachments_are_a_table(tmp_path: Path) -> None:
    arrow = pytest.importorskip("mime_charset.arrow")
    mail = (
        b"Message-ID: <1@a>\nContent-Type: multipart/mixed; boundary=m\n\n--m\n\ntext\n--m\n"
        b"Content-Type: application/octet-stream\nContent-Disposition: attachment; filename*=utf-8''%E2%82%AC\n"
        b"Content-Transfer-Encoding: base64\n\nYWJj\n--m--\n"
    )
    path = tmp_path / "a.eml"
    path.write_bytes(mail)
    table = arrow.attachments([MAIL, path])
    assert table.schema == arrow.ATTACHMENTS
    (row,) = table.to_pylist()
    place = ("path", "container", "member", "path_octets", "member_octets", "index", "offset", "message_id")
    assert [row[name] for name in place] == [str(path), None, None, None, None, 0, 0, "1@a"]
    assert (row["section"], row["filename"], row["media_type"], row["octets"]) == ("2", "€", "application/octet-stream", 3)
    assert row["sha256"] == hashlib.sha256(b"abc").hexdigest()
    assert arrow.attachments(MAIL).num_rows == 0


@pytest.mark.skipif(sys.platform == "win32", reason="pipes differ")
def test_a_closed_pipe_is_not_an_error(tmp_path: Path) -> None:
    path = tmp_path / "a.mbox"
    path.write_bytes(b"From a Sat Jan  3 01:05:34 1996\nSubject: x\n\ntext\n\n" * 5000)
    with subprocess.Popen(
        [sys.executable, "-m", "mime_charset", path], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stdout is not None and process.stderr is not None
        process.stdout.readline()
        process.stdout.close()
        said = process.stderr.read()
    assert (process.returncode, said) == (0, b"")
