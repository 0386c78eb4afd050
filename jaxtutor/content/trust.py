"""Owns the consent to run a course that did not come with jaxtutor: asked once, remembered."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from pathlib import Path

import msgspec

from jaxtutor.content.course import built_in
from jaxtutor.errors import TutorError
from jaxtutor.storage import workspace

VARIABLE = "JAXTUTOR_TRUST_COURSE"
"""Answers in advance: `yes`, or the folders of the courses that may run."""


def agree(
    course: Path, place: Path, environ: Mapping[str, str], ask: Callable[[str], bool] | None
) -> None:
    """See that a course may be run, asking a person if there is one. Raises TutorError.

    `place` is where the folders that were agreed to are kept.
    """
    folder = str(course.resolve())
    known = _read(place)
    if folder == str(built_in().resolve()) or folder in known or _is_said(folder, environ):
        return
    question = f"A course is code, and this one did not come with jaxtutor: {folder}"
    if ask is None:
        raise TutorError(
            f"{question}. It was not run.",
            f"Run a command on it at a terminal once, or set {VARIABLE}=yes where it may run.",
        )
    if not ask(f"{question}\nIts programs run here, and can do what you can. Run it? [y/N] "):
        raise TutorError("The course was not run.", "Nothing was changed.")
    workspace.write_atomically(place, msgspec.json.encode([*known, folder]))


def _is_said(folder: str, environ: Mapping[str, str]) -> bool:
    said = environ.get(VARIABLE, "")
    return said == "yes" or folder in (
        os.path.realpath(place) for place in said.split(os.pathsep) if place
    )


def _read(place: Path) -> list[str]:
    """Read the folders agreed to; a file that is not there or not whole agrees to none."""
    try:
        return msgspec.json.decode(workspace.look(place)[1], type=list[str])
    except (OSError, msgspec.MsgspecError, UnicodeDecodeError):
        return []
