"""Keeps the grades of a run as they are made, so that a run that was ended can go on.

The file has one JSON object per line: first what it is, then one for each grade. Lines are only
added. A line that a killed run did not finish is not read.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import msgspec
from msgspec import Struct

from jaxtutor.core.grading.grades import Grade, SubmittedFile
from jaxtutor.errors import TutorError, UsageError
from jaxtutor.storage import workspace

FORMAT = "jaxtutor grades 1"
FINAL = frozenset({"passed", "failed", "raised", "timed_out", "crashed"})
"""Statuses that a second run would not change. The others are graded again."""


class _Header(Struct):
    jaxtutor: str


class _Line(Struct):
    key: str
    grade: Grade


class Journal:
    """The grades in a file. Raises UsageError if it is another file, TutorError if it is closed."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._grades = _read(path)

    def find(self, key: str) -> Grade | None:
        """Return the grade that an earlier run stored."""
        return self._grades.get(key)

    def add(self, key: str, grade: Grade) -> None:
        """Append a grade if it is final. Raises TutorError."""
        if grade.status not in FINAL or key in self._grades:
            return
        data = msgspec.json.encode(_Line(key, grade)) + b"\n"
        try:
            with self.path.open("ab") as file:
                _lock(file.fileno())
                end = file.seek(0, os.SEEK_END)
                if not end:
                    data = msgspec.json.encode(_Header(FORMAT)) + b"\n" + data
                elif not _ends_with_line(self.path):
                    data = b"\n" + data
                _append(file.fileno(), data, end)
        except OSError as error:
            raise TutorError(
                f"{self.path} could not be written: {workspace.explain(error)}.",
                "The grades are not lost now, but a later run cannot go on from them.",
            ) from error
        self._grades[key] = grade


def _lock(handle: int) -> None:
    """Wait while another run appends to the file, where the system can; closing it unlocks it."""
    with suppress(ImportError, OSError):
        from fcntl import LOCK_EX, flock

        flock(handle, LOCK_EX)


def _append(handle: int, data: bytes, end: int) -> None:
    """Write whole lines or nothing: a full disk would leave part of one."""
    try:
        while data:
            data = data[os.write(handle, data) :]
    except OSError:
        os.ftruncate(handle, end)
        raise


def _ends_with_line(path: Path) -> bool:
    with path.open("rb") as file:
        file.seek(-1, os.SEEK_END)
        return file.read() == b"\n"


def _read(path: Path) -> dict[str, Grade]:
    try:
        lines = path.read_bytes().split(b"\n")
    except FileNotFoundError:
        return {}
    except OSError as error:
        raise UsageError(
            f"{path} cannot be read: {workspace.explain(error)}.", "Name another file."
        ) from error
    if lines != [b""] and not _is_journal(lines[0]):
        raise UsageError(
            f"{path} is not a file that --resume wrote. It was not changed.", "Name another file."
        )
    return {line.key: line.grade for line in map(_decode, lines[1:]) if line is not None}


def _is_journal(line: bytes) -> bool:
    try:
        return msgspec.json.decode(line, type=_Header).jaxtutor == FORMAT
    except msgspec.MsgspecError:
        return False


def _decode(line: bytes) -> _Line | None:
    try:
        return msgspec.json.decode(line, type=_Line)
    except msgspec.MsgspecError:
        return None


def key_of(
    submission: SubmittedFile, lesson_digest: Callable[[str], str], surroundings: str
) -> str:
    """Return the key of a grade: what is graded, by which lesson, and how.

    Empty if the lesson is broken, so that it is graded again when it is repaired.
    """
    try:
        digest = lesson_digest(submission.lesson)
    except TutorError:
        return ""
    parts = (submission.lesson, digest, surroundings, submission.source)
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()
