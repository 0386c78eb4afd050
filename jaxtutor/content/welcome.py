"""Reads the page that greets a learner at the first start."""

from __future__ import annotations

from pathlib import Path

PAGE = Path(__file__).resolve().parent.parent / "welcome.md"


def read_welcome(prefix: str) -> str:
    """Return the page, in Markdown; `prefix` is the key that leads to the panel."""
    return PAGE.read_text(encoding="utf-8").format(prefix=prefix)
