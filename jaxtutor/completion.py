"""Completes lessons, causes and devices in the shell; on any error it offers nothing.

It runs at every press of Tab, so it does not import jax or open the progress file.
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
"""Characters removed from titles: zsh evaluates the descriptions it receives."""


def complete_lesson(context: typer.Context, incomplete: str) -> Offers:
    """Offer lessons by name, or by number if the word starts with a digit."""
    from jaxtutor.content import course

    folder = context.params.get("course")
    with suppress(TutorError, OSError):
        lessons = course.load(Path(folder) if folder else None).lessons
        by_number = incomplete[:1].isdigit()
        names = {lesson.number if by_number else lesson.slug: lesson.folder for lesson in lessons}
        return [(name, _title(names[name])) for name in matching(incomplete, names)]
    return []


def _title(folder: Path) -> str:
    """Read a title without parsing the TOML, which takes too long for a hundred lessons."""
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
    """Offer the devices that this machine probably has."""
    from jaxtutor.system.accelerators import look

    return matching(incomplete, look(os.environ).names())


def complete_words(*words: str) -> Callable[[str], list[str]]:
    """Return a completer that offers these words."""

    def complete(incomplete: str) -> list[str]:
        return matching(incomplete, words)

    return complete


def matching(incomplete: str, names: Iterable[str]) -> list[str]:
    """Return the names that start with `incomplete`; shells show no others."""
    return [name for name in names if name.startswith(incomplete)]
