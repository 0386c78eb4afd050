"""Loads a course from disk, and finds chapters and lessons by name, number or part of a name.

A project is a chapter whose lessons, its steps, share one file of the learner's: the text that
passed a step, and what the next one adds to it, is what the next one starts from.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property
from itertools import takewhile
from pathlib import Path

from jaxtutor.content.course_files import (
    MISSING,
    UnreadableFile,
    find_fault,
    list_programs,
    read_text,
    say_why,
)
from jaxtutor.core.data.lessons import (
    Expectation,
    LessonError,
    LessonInfo,
    ProjectInfo,
    read_expectation,
    read_info,
    read_project,
)
from jaxtutor.core.data.lessons import suggest as suggest_names
from jaxtutor.core.data.sanitize import visible
from jaxtutor.errors import CourseError, UnknownLesson, UsageError
from jaxtutor.system import packages

FILES = ("lesson.toml", "lesson.md", "starter.py", "solution.py", "checks.py")
"""The files that every lesson has."""

PROJECTS = "projects"
"""The folder of the projects, in the course and in the workspace."""
STEP = "P"
"""What the numbers of projects and of their steps begin with."""
PREFIX = "project:"
"""Before the name of a project, where a lesson can be given too."""

OTHERS_WORK = "The other lessons work: jaxtutor list"
_NUMBERED = re.compile(r"(\d+)_([a-z0-9_]+)")


@dataclass(frozen=True)
class Lesson:
    """One lesson's folder. Its files are read on first use."""

    folder: Path
    number: str
    slug: str
    earlier: tuple[Lesson, ...] = field(default=(), repr=False, compare=False)
    """The steps before this one, if it is a step of a project."""

    @cached_property
    def info(self) -> LessonInfo:
        """The parsed `lesson.toml`. Raises CourseError."""
        try:
            return read_info(self.read("lesson.toml"))
        except LessonError as error:
            raise self._broken(str(error)) from error

    @cached_property
    def fault(self) -> str:
        """Why the lesson cannot be used; empty if it can."""
        for step in self.earlier:
            if step.fault:
                return f"it builds on {step.slug}, which is broken"
        faults = {name: find_fault(self.folder, name) for name in FILES}
        missing = [name for name, why in faults.items() if why == MISSING]
        if missing:
            return f"{', '.join(missing)} {MISSING}"
        for name, why in faults.items():
            if why:
                return f"{name} {why}"
        try:
            self.info  # noqa: B018 - reading it may raise
        except CourseError as error:
            return error.message.removeprefix(self._broken("").message)
        return ""

    @cached_property
    def missing(self) -> tuple[str, ...]:
        """The packages that it needs and that are not installed, or too old."""
        if self.fault:
            return ()
        steps = (*self.earlier, self)
        needed = dict.fromkeys(each for it in steps for each in it.info.needs.packages)
        return packages.find_missing(tuple(needed))

    @property
    def is_usable(self) -> bool:
        """Return whether it is sound and the packages that it needs are installed."""
        return not self.fault and not self.missing

    def require_packages(self) -> None:
        """Raise MissingPackages if a package that it needs is missing or too old."""
        packages.refuse_missing(self.slug, self.missing)

    def _broken(self, why: str) -> CourseError:
        return CourseError(f"The lesson {self.slug} is broken: {why}", OTHERS_WORK)

    def read(self, name: str) -> str:
        """Read one of the lesson's files. Raises CourseError."""
        try:
            return read_text(self.folder, name)
        except UnreadableFile as error:
            raise self._broken(f"{name} {error}.") from error
        except OSError as error:
            raise self._broken(f"{name} {say_why(error)}.") from error
        except UnicodeDecodeError as error:
            raise self._broken(f"{name} is not UTF-8 text.") from error

    @property
    def page(self) -> str:
        """The lesson's text, in Markdown."""
        return self.read("lesson.md")

    @property
    def starter(self) -> str:
        """The file that the learner starts from; of a step, after our solution of the others."""
        before = self.earlier[-1].solution if self.earlier else ""
        from jaxtutor.core.learning.growing import grow

        return grow(before, self.addition)

    @property
    def addition(self) -> str:
        """What is in `starter.py`: of a step, only what it adds."""
        return self.read("starter.py")

    @property
    def solution(self) -> str:
        """The lesson's own solution."""
        return self.read("solution.py")

    @property
    def chapter_folder(self) -> str:
        """The name of the chapter's folder, `03_error_clinic`."""
        return self.folder.parent.name

    @property
    def is_step(self) -> bool:
        """Return whether this is a step of a project."""
        return self.number.startswith(STEP)

    @property
    def place(self) -> tuple[str, str]:
        """Where the learner's file is: a folder, and a name without suffix."""
        if self.is_step:
            return PROJECTS, re.sub(r"^\d+_", "", self.chapter_folder)
        return self.chapter_folder, self.folder.name

    def mistakes(self) -> Iterator[tuple[Path, Expectation]]:
        """Yield the known wrong submissions and the expected result of each. Raises CourseError."""
        for path in list_programs(self.folder / "mistakes"):
            try:
                name = f"mistakes/{path.name}"
                yield path, read_expectation(self.read(name), name)
            except LessonError as error:
                raise CourseError(f"The lesson {self.slug} is broken: {error}") from error

    def alternatives(self) -> list[Path]:
        """Return the other right solutions."""
        return list_programs(self.folder / "also")


@dataclass(frozen=True)
class Chapter:
    """One folder of lessons, in order: a chapter, or a project and its steps."""

    folder: Path
    number: int
    lessons: tuple[Lesson, ...]
    is_project: bool = False

    @property
    def label(self) -> str:
        """The number that the learner reads: `3`, or `P1` of a project."""
        return f"{STEP if self.is_project else ''}{self.number}"

    @property
    def kind(self) -> str:
        """What it is called in sentences."""
        return "Project" if self.is_project else "Chapter"

    @property
    def name(self) -> str:
        """The name of the folder without its number, hyphenated."""
        return re.sub(r"^\d+_", "", self.folder.name).replace("_", "-")

    @cached_property
    def info(self) -> ProjectInfo:
        """The parsed `project.toml` of a project. Raises CourseError."""
        try:
            return read_project(read_text(self.folder, "project.toml"))
        except (OSError, UnreadableFile, UnicodeDecodeError, LessonError) as error:
            why = say_why(error) if isinstance(error, OSError) else str(error)
            message = f"The project {self.name} is broken: {why.removeprefix('project.toml: ')}"
            raise CourseError(message, OTHERS_WORK) from error

    @property
    def page(self) -> str:
        """The text of a project, in Markdown; empty if it cannot be read."""
        try:
            return read_text(self.folder, "project.md")
        except (OSError, UnreadableFile, UnicodeDecodeError):
            return ""

    @cached_property
    def title(self) -> str:
        """The first heading of `chapter.md` or a project's title; otherwise the folder's name."""
        if self.is_project:
            with suppress(CourseError):
                return self.info.title
            return _words(self.folder.name)
        try:
            first = read_text(self.folder, "chapter.md").lstrip()
        except (OSError, UnreadableFile, UnicodeDecodeError):
            first = ""
        heading = visible(first.partition("\n")[0])
        return heading.lstrip("# ") if heading.startswith("#") else _words(self.folder.name)


@dataclass(frozen=True)
class Course:
    """All chapters of one folder, and its projects."""

    folder: Path
    chapters: tuple[Chapter, ...]
    projects: tuple[Chapter, ...] = ()

    @property
    def lessons(self) -> tuple[Lesson, ...]:
        """All lessons of the chapters, in order."""
        return tuple(lesson for chapter in self.chapters for lesson in chapter.lessons)

    @property
    def steps(self) -> tuple[Lesson, ...]:
        """All steps of the projects, in order."""
        return tuple(step for project in self.projects for step in project.lessons)

    @property
    def every_lesson(self) -> tuple[Lesson, ...]:
        """The lessons of the chapters, then the steps of the projects."""
        return (*self.lessons, *self.steps)

    @property
    def parts(self) -> tuple[Chapter, ...]:
        """The chapters, then the projects."""
        return (*self.chapters, *self.projects)

    def chapter_of(self, lesson: Lesson) -> Chapter:
        """Return the chapter, or the project, that a lesson belongs to."""
        return next(part for part in self.parts if lesson in part.lessons)

    def find(self, text: str) -> Lesson:
        """Find a lesson or a step by slug, number, or any unambiguous part. Raises UnknownLesson.

        Steps are found by a part of their name only where no lesson has that part.
        """
        wanted = text.strip().lower().replace("_", "-").removesuffix(".py")
        wanted = re.sub(r"^\d+-(?=[a-z])", "", wanted)
        every = self.every_lesson
        exact = [lesson for lesson in every if wanted in (lesson.slug, lesson.number.lower())]
        partial = [lesson for lesson in self.lessons if wanted and wanted in lesson.slug]
        steps = [step for step in self.steps if wanted and wanted in step.slug]
        found = exact or partial or steps
        if len(found) == 1:
            return found[0]
        if found:
            slugs = ", ".join(lesson.slug for lesson in found)
            raise UnknownLesson(f"{text!r} could be any of {slugs}.", "Type more of its name.")
        raise self._unknown(text, wanted)

    def find_project(self, text: str) -> Chapter | None:
        """Find a project by `project:NAME`, its name or its number; None if nothing names one.

        Raises UnknownLesson for a `project:` that does not exist.
        """
        given = text.strip().lower()
        wanted = given.removeprefix(PREFIX).replace("_", "-").removesuffix(".py")
        for project in self.projects:
            if wanted in (project.name, project.label.lower()) and project.lessons:
                return project
        if not given.startswith(PREFIX):
            return None
        names = [project.name for project in self.projects]
        close = [f"{PREFIX}{name}" for name in suggest_names(wanted, names) or names]
        remedy = f"Did you mean {' or '.join(close)}?" if close else "This course has no projects."
        raise UnknownLesson(f"There is no project {wanted!r}.", remedy)

    def find_chapter(self, text: str) -> Chapter:
        """Find a chapter or a project by its number or any unambiguous part of its name.

        Raises UsageError.
        """
        if project := self.find_project(text):
            return project
        wanted = text.strip().lower()
        found = [
            chapter
            for chapter in self.chapters
            if wanted == str(chapter.number)
            or (
                wanted
                and not wanted.isdigit()
                and wanted in f"{chapter.title} {chapter.folder.name}".lower()
            )
        ]
        if len(found) == 1:
            return found[0]
        if found:
            titles = ", ".join(f"{chapter.number} {chapter.title}" for chapter in found)
            raise UsageError(f"{text!r} could be any of {titles}.", "Give its number.")
        raise UsageError(f"There is no chapter {text!r}.", "See: jaxtutor list")

    def _unknown(self, text: str, wanted: str) -> UnknownLesson:
        names = [lesson.slug for lesson in self.every_lesson]
        close = suggest_names(wanted, names)
        remedy = f"Did you mean {' or '.join(close)}?" if close else "See: jaxtutor list"
        return UnknownLesson(f"There is no lesson {text!r}.", remedy)

    def after(self, lesson: Lesson, step: int = 1) -> Lesson | None:
        """Return the next usable lesson in steps of `step`, or None past either end.

        After a step of a project comes the next one of the same project.
        """
        return next((it for it in self._onward(lesson, step) if it.is_usable), None)

    def skipped_after(self, lesson: Lesson, step: int = 1) -> tuple[Lesson, ...]:
        """Return the lessons that `after` skips because their packages are missing."""
        onward = takewhile(lambda it: not it.is_usable, self._onward(lesson, step))
        return tuple(it for it in onward if it.missing)

    def _onward(self, lesson: Lesson, step: int) -> Iterator[Lesson]:
        lessons = self.chapter_of(lesson).lessons if lesson.is_step else self.lessons
        place = lessons.index(lesson)
        yield from lessons[place + 1 :] if step > 0 else reversed(lessons[:place])

    def first(self) -> Lesson:
        """Return the first usable lesson; the first of all if none is."""
        every = self.every_lesson
        return next((lesson for lesson in every if lesson.is_usable), every[0])


def load(folder: Path | None) -> Course:
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


def _words(folder: str) -> str:
    return re.sub(r"^\d+_", "", folder).replace("_", " ").capitalize()
