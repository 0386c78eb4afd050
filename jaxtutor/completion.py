"""Owns what a shell may complete: lessons, causes, devices. Whatever is amiss, it offers nothing.

It runs at every press of Tab, so it starts no jax and opens no store.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path

import typer

from jaxtutor.errors import TutorError

Offers = list[tuple[str, str]]
_TITLE = re.compile(r'^title = "(.*)"$', re.MULTILINE)
_UNSAFE = re.compile(r"[^\w .,:;?!()+*/=-]")
"""What a title may not bring into a shell: zsh evaluates what it is given."""


def complete_lesson(context: typer.Context, incomplete: str) -> Offers:
    """Offer lessons by name, or by number where a number was begun."""
    from jaxtutor.content import course

    folder = context.params.get("course")
    with suppress(TutorError, OSError):
        lessons = course.load(Path(folder) if folder else None).lessons
        by_number = incomplete[:1].isdigit()
        names = {lesson.number if by_number else lesson.slug: lesson.folder for lesson in lessons}
        return [(name, _title(names[name])) for name in matching(incomplete, names)]
    return []


def _title(folder: Path) -> str:
    """Read a title without parsing the file, which takes long for a hundred lessons."""
    with suppress(OSError, UnicodeDecodeError):
        found = _TITLE.search((folder / "lesson.toml").read_text(encoding="utf-8"))
        return _UNSAFE.sub("", found[1]) if found else ""
    return ""


def complete_page(incomplete: str) -> list[str]:
    """Offer causes and error classes."""
    from jaxtutor.content.cause_pages import Library

    library = Library()
    return matching(incomplete, [*library.slugs, *library.classes])


def complete_device(incomplete: str) -> list[str]:
    """Offer the devices that are likely there."""
    from jaxtutor.system.accelerators import look

    return matching(incomplete, look(os.environ).names())


def complete_words(*words: str) -> Callable[[str], list[str]]:
    """Return what offers these words."""

    def complete(incomplete: str) -> list[str]:
        return matching(incomplete, words)

    return complete


def matching(incomplete: str, names: Iterable[str]) -> list[str]:
    """Return the names that begin so; a shell shows no others."""
    return [name for name in names if name.startswith(incomplete)]
