"""Tests that README.md lists every command and that links between pages work."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import command_tree

ROOT = Path(__file__).parent.parent
PAGES = ("README.md", "CONTRIBUTING.md", "CHANGELOG.md", "docs/dependencies.md")
LINK = re.compile(r"\]\((?!https?:)([^)#]*)(?:#([^)]*))?\)")


def promised() -> list[str]:
    """Return the commands in the first column of the README's table."""
    rows = re.findall(r"^\| (`.*?) \|", (ROOT / "README.md").read_text("utf-8"), re.MULTILINE)
    names = [name for row in rows for name in re.findall(r"`([a-z ]+?)(?: [A-Z\[].*?)?`", row)]
    return sorted(names)


def offered() -> list[str]:
    """Return the commands of the command line."""
    return sorted(command_tree.commands())


def test_the_readme_lists_every_command() -> None:
    """The README's table lists exactly the existing commands."""
    assert offered() == promised()


def anchors(page: Path) -> set[str]:
    headings = re.findall(r"^#+ (.*)$", page.read_text("utf-8"), re.MULTILINE)
    return {re.sub(r"[^a-z0-9 -]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("name", PAGES)
def test_links_lead_somewhere(name: str) -> None:
    """Every link to a file or heading of the checkout finds it."""
    page = ROOT / name
    broken = []
    for file, anchor in LINK.findall(page.read_text("utf-8")):
        target = (page.parent / file) if file else page
        if not target.exists() or (anchor and anchor not in anchors(target)):
            broken.append(f"{file}#{anchor}")
    assert [] == broken
