"""Asks for consent to run a course that did not come with jaxtutor, and remembers the answer.

The answer is for the course's files as they are: after a change, such as a `git pull`, it is
asked again, once. Authors, whose own course changes all day, name its folder in the environment.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

import msgspec

from jaxtutor.content.course_digest import digest
from jaxtutor.content.loading import built_in
from jaxtutor.errors import CourseError, TutorError
from jaxtutor.storage import workspace

VARIABLE = "JAXTUTOR_TRUST_COURSE"
"""Answers in advance: `yes`, or the folders of the courses that may run, whatever is in them."""

Trusted = dict[str, str]
"""The digests of the courses that may run, by folder."""


def agree(
    course: Path,
    place: Path,
    environ: Mapping[str, str],
    ask: Callable[[str], bool] | None,
    own: Iterable[Path] = (),
) -> None:
    """Return if a course may be run, asking a person if there is one. Raises TutorError.

    `place` is the file in which consent is kept, and `own` are folders that jaxtutor writes to.
    """
    folder = str(course.resolve())
    if folder == str(built_in().resolve()) or _is_said(folder, environ):
        return
    known, seen = _read(place), _digest(course, folder, (place, *own))
    if known.get(folder) == seen:
        return
    question = f"A course is code, and this one did not come with jaxtutor: {folder}"
    if folder in known:
        question = f"The files of this course have changed since you agreed to it: {folder}"
    if ask is None:
        raise TutorError(
            f"{question}. It was not run.",
            f"Run a command on it at a terminal once, or set {VARIABLE}={folder}.",
        )
    if not ask(f"{question}\nIts programs run here, and can do what you can. Run it? [y/N] "):
        raise TutorError("The course was not run.", "Nothing was changed.")
    workspace.write_atomically(place, msgspec.json.encode({**known, folder: seen}))


def _digest(course: Path, folder: str, own: Iterable[Path]) -> str:
    """Return the digest of a course; where there is none, say how to do without."""
    try:
        return digest(course, own)
    except CourseError as error:
        raise CourseError(
            f"{error.message} The course was not run.",
            f"{error.remedy} If you trust the course whatever is in it, set {VARIABLE}={folder}.",
        ) from error


def _is_said(folder: str, environ: Mapping[str, str]) -> bool:
    said = environ.get(VARIABLE, "")
    return said == "yes" or folder in (
        os.path.realpath(place) for place in said.split(os.pathsep) if place
    )


def _read(place: Path) -> Trusted:
    """Read what was agreed to; a file that is absent, broken or an earlier form holds none."""
    try:
        return msgspec.json.decode(workspace.look(place)[1], type=Trusted)
    except (OSError, msgspec.MsgspecError, UnicodeDecodeError):
        return {}
