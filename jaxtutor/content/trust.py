"""Asks for consent to run a course that did not come with jaxtutor, and remembers the answer.

The answer is for the course's programs as they are: after a change, such as a `git pull`, it is
asked again, once. Authors, whose own course changes all day, name its folder in the environment.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path

import msgspec

from jaxtutor.content.loading import built_in
from jaxtutor.errors import TutorError
from jaxtutor.storage import workspace

VARIABLE = "JAXTUTOR_TRUST_COURSE"
"""Answers in advance: `yes`, or the folders of the courses that may run, whatever is in them."""

Trusted = dict[str, str]
"""The digests of the courses that may run, by folder."""


def agree(
    course: Path, place: Path, environ: Mapping[str, str], ask: Callable[[str], bool] | None
) -> None:
    """Return if a course may be run, asking a person if there is one. Raises TutorError.

    `place` is the file in which consent is kept.
    """
    folder = str(course.resolve())
    if folder == str(built_in().resolve()) or _is_said(folder, environ):
        return
    known, seen = _read(place), digest(course)
    if known.get(folder) == seen:
        return
    question = f"A course is code, and this one did not come with jaxtutor: {folder}"
    if folder in known:
        question = f"The programs of this course have changed since you agreed to it: {folder}"
    if ask is None:
        raise TutorError(
            f"{question}. It was not run.",
            f"Run a command on it at a terminal once, or set {VARIABLE}={folder}.",
        )
    if not ask(f"{question}\nIts programs run here, and can do what you can. Run it? [y/N] "):
        raise TutorError("The course was not run.", "Nothing was changed.")
    workspace.write_atomically(place, msgspec.json.encode({**known, folder: seen}))


def digest(course: Path) -> str:
    """Return a digest of all programs in a folder, with their names."""
    total = hashlib.sha256()
    for path in sorted(course.rglob("*.py*")):
        if path.suffix == ".pyc" or not path.is_file():
            continue
        with suppress(OSError):
            data = path.read_bytes()
            name = os.fsencode(path.relative_to(course))
            total.update(b"%d %d\0" % (len(name), len(data)) + name + data)
    return total.hexdigest()


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
