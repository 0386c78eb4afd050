"""Reads one lesson's folder: its files, its faults, and the packages that it needs."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
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
    EXAMPLE,
    Expectation,
    LessonError,
    LessonInfo,
    read_expectation,
    read_info,
    read_sections,
)
from jaxtutor.errors import CourseError
from jaxtutor.system import packages

FILES = ("lesson.toml", "lesson.md", "starter.py", "solution.py", "checks.py")
"""The files that every lesson has."""

PROJECTS = "projects"
"""The folder of the projects, in the course and in the workspace."""
STEP = "P"
"""What the numbers of projects and of their steps begin with."""

OTHERS_WORK = "The other lessons work: jaxtutor list"


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

    @cached_property
    def has_example(self) -> bool:
        """Whether the page has a worked example; one that fits a screen has none."""
        return EXAMPLE in read_sections(self.page)

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
