"""Loads a course from its folders, named `NN_name`: chapters, projects, and lessons in them."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path

from jaxtutor.content.course import Chapter, Course
from jaxtutor.content.lesson import FILES, PROJECTS, STEP, Lesson
from jaxtutor.errors import CourseError

_NUMBERED = re.compile(r"(\d+)_([a-z0-9_]+)")


def load_course(folder: Path | None) -> Course:
    """Load a course, by default the built-in one. Raises CourseError."""
    folder = (folder or built_in()).absolute()
    if not folder.is_dir():
        raise _no_folder(folder)
    folder = _course_in(folder)
    chapters = tuple(_load_chapters(folder))
    projects = tuple(_load_projects(folder / PROJECTS))
    if not any(part.lessons for part in (*chapters, *projects)):
        raise CourseError(
            f"{folder} holds no lessons.",
            "A course has folders like 01_basics/01_first_lesson/, each with a lesson.toml.",
        )
    return Course(folder, chapters, projects)


def _no_folder(folder: Path) -> CourseError:
    """Report a folder that does not exist; an address has to be cloned first."""
    if re.search(r"\w:/\w|\w@[\w.]+:", str(folder)):
        return CourseError(
            f"{folder.name} is an address, and --course takes a folder or a name.",
            "Add the course first: jaxtutor course add ADDRESS",
        )
    return CourseError(f"{folder} is not a folder.", "Name a course's folder with --course.")


def _course_in(folder: Path) -> Path:
    """Find the course in a checkout, which may have it in a subfolder."""
    if (folder / "course.toml").exists() or _numbered(folder) or _numbered(folder / PROJECTS):
        return folder
    inner = sorted(path.parent for path in folder.glob("*/course.toml"))
    return inner[0] if len(inner) == 1 and not inner[0].is_symlink() else folder


def built_in() -> Path:
    """Return the folder of the course that comes with jaxtutor: in the wheel, or in a checkout."""
    package = Path(__file__).resolve().parent.parent
    inside = package / "lessons"
    return inside if inside.is_dir() else package.parent / "lessons"


def _load_chapters(folder: Path) -> Iterator[Chapter]:
    for number, _, path in _numbered(folder):
        lessons = tuple(
            Lesson(inner, f"{number}.{place}", name.replace("_", "-"))
            for place, name, inner in _numbered(path)
            if any(os.path.exists(f"{inner}{os.sep}{name}") for name in FILES)  # noqa: PTH110
        )
        yield Chapter(path, number, lessons)


def _load_projects(folder: Path) -> Iterator[Chapter]:
    for number, name, path in _numbered(folder):
        steps: tuple[Lesson, ...] = ()
        for place, step, inner in _numbered(path):
            slug = f"{name}-{step}".replace("_", "-")
            steps = (*steps, Lesson(inner, f"{STEP}{number}.{place}", slug, steps))
        yield Chapter(path, number, steps, is_project=True)


def is_numbered(name: str) -> bool:
    """Return whether a folder of this name is a chapter or a lesson."""
    return _NUMBERED.fullmatch(name) is not None


def _numbered(folder: Path) -> list[tuple[int, str, Path]]:
    """Return the folders named NN_name, in the order of their numbers."""
    found = []
    for entry in _inside(folder):
        match = _NUMBERED.fullmatch(entry.name)
        if match and entry.is_dir(follow_symlinks=False):
            found.append((int(match[1]), match[2], folder / entry.name))
    return sorted(found)


def _inside(folder: Path) -> list[os.DirEntry[str]]:
    """List a folder; one that cannot be read counts as empty."""
    try:
        with os.scandir(folder) as entries:
            return list(entries)
    except OSError:
        return []
