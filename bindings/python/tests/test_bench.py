"""The benchmarks run, with few messages; their speed is not checked."""

import subprocess
import sys
from pathlib import Path

import pytest
from conftest import CORPUS, MAIL

BENCH = Path(__file__).parents[1] / "bench"


def run(script: str, *arguments: object) -> str:
    words = [sys.executable, str(BENCH / script), *map(str, arguments)]
    done = subprocess.run(words, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_columns() -> None:
    pytest.importorskip("pyarrow")
    assert run("columns.py", 50).startswith("50 messages, ")


def test_texts() -> None:
    """Compared with the standard library, which lacks some charsets of the corpus and raises."""
    found = run("texts.py", CORPUS / "mail", "--list")
    assert found.startswith(f"{len(MAIL)} messages\n")
    assert any(line.startswith("An exception is raised\temail of Python") for line in found.splitlines())


def test_readers(tmp_path: Path) -> None:
    (tmp_path / "one.eml").write_bytes(MAIL[0].read_bytes())
    assert "| mime_charset, all | " in run("readers.py", tmp_path, 1)
