"""Paths of the repository's corpus."""

from pathlib import Path

CORPUS = Path(__file__).parents[3] / "corpus"
MAIL = sorted((CORPUS / "mail").glob("*.eml"))
