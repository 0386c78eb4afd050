"""Remembers which lessons passed all of their gates, so that a run can be resumed.

What is remembered is a digest of all that the gates depend on: the files of the lesson, of its
earlier steps and of its course, jaxtutor itself, Python, the packages and the device.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Collection, Iterable, Iterator
from contextlib import suppress
from functools import cached_property
from hashlib import sha256
from pathlib import Path

import jaxtutor
from jaxtutor.content.course import Course
from jaxtutor.content.lesson import Lesson
from jaxtutor.errors import TutorError
from jaxtutor.storage import workspace
from jaxtutor.system.packages import installed_version, name_of

PACKAGES = ("jax", "jaxlib", "numpy", "ruff")
"""What the gates of every lesson depend on; ruff checks the format."""


class PassedLessons:
    """The lessons of a course that passed, as empty files in a folder."""

    def __init__(self, folder: Path, course: Course, device: str | None) -> None:
        self._folder = folder
        self._course = course
        self._device = device
        self._places: dict[Path, Path] = {}

    def has(self, lesson: Lesson) -> bool:
        """Return whether a lesson passed with what it depends on now."""
        return self._place(lesson).is_file()

    def add(self, lesson: Lesson) -> None:
        """Remember that a lesson passed with what it depended on when it was first looked up."""
        with suppress(TutorError):  # a full or read-only disk costs only time
            workspace.write_atomically(self._place(lesson), b"")

    def _place(self, lesson: Lesson) -> Path:
        if lesson.folder not in self._places:
            name = f"{lesson.slug}-{self._digest(lesson)}"
            self._places[lesson.folder] = self._folder / name
        return self._places[lesson.folder]

    def _digest(self, lesson: Lesson) -> str:
        steps = (*lesson.earlier, lesson)
        needed = [] if lesson.fault else [it for s in steps for it in s.info.needs.packages]
        versions = {name: installed_version(name) for name in (*PACKAGES, *map(name_of, needed))}
        text = repr((lesson.number, self._device, sys.version, sorted(versions.items())))
        total = sha256(text.encode() + self._shared)
        for step in steps:
            total.update(_digest_files(_files(step.folder)))
        return total.hexdigest()[:24]

    @cached_property
    def _shared(self) -> bytes:
        """A digest of what all lessons of the course depend on."""
        lessons = self._course.every_lesson
        order = repr([(it.number, it.slug) for it in lessons])
        own = _files(Path(jaxtutor.__file__).parent)
        others = _files(self._course.folder, {str(it.folder) for it in lessons})
        return order.encode() + _digest_files(own) + _digest_files(others)


def _files(folder: Path, without: Collection[str] = ()) -> Iterator[Path]:
    """Yield the files below a folder, in order, apart from bytecode and some folders."""
    for place, folders, names in os.walk(folder):
        kept = (
            it for it in folders if it != "__pycache__" and f"{place}{os.sep}{it}" not in without
        )
        folders[:] = sorted(kept)
        yield from (Path(place, name) for name in sorted(names))


def _digest_files(files: Iterable[Path]) -> bytes:
    total = sha256()
    for file in files:
        with suppress(OSError):  # the gates report a file that cannot be read
            content = sha256(file.read_bytes()).digest()
            total.update(os.fsencode(file) + b"\0" + content)
    return total.digest()
