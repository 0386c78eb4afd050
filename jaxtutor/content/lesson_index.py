"""Keeps the parsed `lesson.toml` of a course in one file, because parsing a hundred takes 50 ms.

An entry counts only if the lesson's file and its folder still have the status that they had when
it was parsed: the folder's changes when a file in it is added, removed or replaced. The file is a
cache: without it, or with a damaged one, every lesson is parsed.
"""

from __future__ import annotations

import os
import time
import zlib
from pathlib import Path

import msgspec
from msgspec import Struct

from jaxtutor import __version__
from jaxtutor.content.course import Course
from jaxtutor.content.lesson import Lesson
from jaxtutor.core.data import lessons
from jaxtutor.core.data.lessons import INFO, LessonInfo
from jaxtutor.storage import caches

Status = tuple[int, ...]
UNSETTLED = 2_000_000_000
"""ns. A file changed this recently may change again without a new time; it is not stored."""


class _Entry(Struct, array_like=True, frozen=True):
    """What is known of a lesson that has no fault."""

    status: Status
    folder: Status
    info: LessonInfo


class _Index(Struct, array_like=True):
    """The entries of a course by folder, and the program that made them."""

    reader: list[str]
    course: str
    entries: dict[str, _Entry]


def fill(course: Course, folder: Path) -> None:
    """Give the lessons of a course their information, parsing only those that have changed.

    `folder` is where the index is kept.
    """
    path = folder / f"{zlib.crc32(os.fsencode(course.folder)):08x}.msgpack"
    known = _read(path, course)
    entries = {}
    for lesson in course.every_lesson:
        name = str(lesson.folder)
        entry = _entry(lesson, known.get(name))
        if entry is not None:
            entries[name] = entry
    if entries != known:
        index = _Index(_reader(), str(course.folder), entries)
        caches.write(path, msgspec.msgpack.encode(index))


def _entry(lesson: Lesson, known: _Entry | None) -> _Entry | None:
    """Return what to store of a lesson, and give the lesson its information."""
    status, folder = _status(f"{lesson.folder}{os.sep}{INFO}"), _status(str(lesson.folder))
    if known is not None and known.status == status and known.folder == folder:
        vars(lesson)["info"] = known.info  # where its cached_property looks first
        if not any(step.fault for step in lesson.earlier):
            vars(lesson)["fault"] = ""
        return known
    if lesson.fault:
        return None
    settled = time.time_ns() - max(*status[:2], *folder[:2]) > UNSETTLED
    return _Entry(status, folder, lesson.info) if settled else None


def _status(path: str) -> Status:
    """Return what changes whenever a file is written or replaced: with times in ns, and its size.

    The time of the last change of the status cannot be set, unlike that of the contents.
    """
    try:
        found = os.lstat(path)
    except OSError:
        return ()
    return found.st_mtime_ns, found.st_ctime_ns, found.st_size, found.st_ino, found.st_mode


def _reader() -> list[str]:
    """Return what decides how a file is parsed."""
    return [__version__, *map(str, _status(lessons.__file__))]


def _read(path: Path, course: Course) -> dict[str, _Entry]:
    try:
        index = msgspec.msgpack.decode(caches.read(path), type=_Index)
    except msgspec.MsgspecError:
        return {}
    fits = index.reader == _reader() and index.course == str(course.folder)
    return index.entries if fits else {}
