"""Makes Python compile the modules of a course from their sources, and write no bytecode there.

Consent to run a course is for its files without the bytecode in `__pycache__`. Python would run
that in place of a source whose time and size it names, or in place of any.
"""

from __future__ import annotations

import os
import sysconfig
from functools import cache
from importlib.machinery import SourceFileLoader
from pathlib import Path
from types import CodeType

PROJECTS = "projects"
"""The folder of a course that its projects are in, one level below its chapters."""


@cache
def compile_from_source(lesson_folder: str) -> None:
    """Do so from now on for the course that a lesson belongs to."""
    course = _course_of(Path(lesson_folder))
    installed = _installed_below(course)
    get_code = SourceFileLoader.get_code

    def get_source_code(self: SourceFileLoader, name: str) -> CodeType | None:
        file = self.get_filename(name)
        place = os.path.realpath(file)
        if not _is_below(place, course) or any(_is_below(place, it) for it in installed):
            return get_code(self, name)
        return self.source_to_code(self.get_data(file), file)  # type: ignore[no-any-return]

    SourceFileLoader.get_code = get_source_code  # type: ignore[method-assign,assignment]


def _course_of(lesson_folder: Path) -> str:
    part = lesson_folder.parent.parent
    return os.path.realpath(part.parent if part.name == PROJECTS else part)


def _installed_below(course: str) -> list[str]:
    """Return the folders of Python's own modules, if its environment is in the course's folder."""
    paths = sysconfig.get_paths()
    folders = {os.path.realpath(paths[name]) for name in ("stdlib", "purelib", "platlib")}
    return [folder for folder in folders if _is_below(folder, course)]


def _is_below(path: str, folder: str) -> bool:
    return path.startswith(folder + os.sep)
