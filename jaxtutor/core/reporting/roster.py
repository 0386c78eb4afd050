"""Finds the learner and the lesson of each file in a folder, from the files' names."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace

Parts = tuple[str, ...]

_COPY = re.compile(r"(?:[ _-]*\(\d+\)|[ _-]+copy)$", re.IGNORECASE)
"""What browsers and file managers append to the name of another copy."""


class LessonNames(Struct, frozen=True):
    """The names of a lesson: its slug, its folder and its chapter's folder."""

    slug: str
    folder: str
    chapter: str


class RosterEntry(Struct, frozen=True):
    """One file: its path, its learner, and its lesson if the name contains one."""

    parts: Parts
    learner: str
    lesson: str | None


def assign(
    files: Sequence[Parts], lessons: Sequence[LessonNames], home: str, only: str | None = None
) -> tuple[RosterEntry, ...]:
    """Return the learner and the lesson of each file, from its path below the folder `home`.

    With `only`, a learner's single file is taken for that lesson whatever its name, and files for
    other lessons are left out.
    """
    entries = [_entry(parts, lessons, home) for parts in files]
    if only is None:
        return tuple(entries)
    entries = [entry for entry in entries if entry.lesson in (only, None)]
    has_one = {entry.learner for entry in entries if entry.lesson}
    strays = Counter(entry.learner for entry in entries if not entry.lesson)
    return tuple(
        replace(entry, lesson=only)
        if strays[entry.learner] == 1 and entry.learner not in has_one
        else entry
        for entry in entries
    )


def _entry(parts: Parts, lessons: Sequence[LessonNames], home: str) -> RosterEntry:
    chapters = {lesson.chapter for lesson in lessons}
    folders = [part for part in parts[:-1] if part not in chapters]
    stem = _COPY.sub("", parts[-1].removesuffix(".py"))
    slug, owner = _read_name(stem, lessons)
    if folders:
        owner = folders[0]
    return RosterEntry(parts, owner or (home if slug else stem), slug)


def _read_name(stem: str, lessons: Sequence[LessonNames]) -> tuple[str | None, str]:
    """Split `alice_01_some_lesson` into the lesson's slug and the learner before it."""
    plain = stem.lower().replace("_", "-")
    names = {name.replace("_", "-"): it.slug for it in lessons for name in (it.slug, it.folder)}
    for name in sorted(names, key=len, reverse=True):
        if plain == name:
            return names[name], ""
        if plain.endswith(f"-{name}"):
            return names[name], stem[: -len(name)].strip("-_ ")
    return None, ""


def doubles(entries: Sequence[RosterEntry]) -> frozenset[tuple[str, str]]:
    """Return the pairs of learner and lesson that have more than one file."""
    counts = Counter((entry.learner, entry.lesson) for entry in entries if entry.lesson)
    return frozenset((who, lesson) for (who, lesson), count in counts.items() if count > 1)
