"""Writes the guides in `docs/` from the table that `explain` draws them from: `./dev index`."""

from __future__ import annotations

from pathlib import Path

from jaxtutor.content.cause_pages import Library
from jaxtutor.content.guides import GUIDES

DOCS = Path(__file__).parent.parent / "docs"
ORIGIN = "<!-- Written by `./dev index` from jaxtutor/causes/counterparts.toml. -->"


def guide_pages() -> dict[str, Path]:
    """Return the file of each guide."""
    return {name: DOCS / f"coming-from-{name}.md" for name in GUIDES}


def guide_document(name: str) -> str:
    """Return the text of a guide as a file."""
    title, text = Library().page(name)
    return f"# {title}\n\n{ORIGIN}\n\n{text}"


def write() -> None:
    """Write the guides."""
    for name, path in guide_pages().items():
        path.write_text(guide_document(name), encoding="utf-8")
