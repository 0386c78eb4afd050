"""Finds chapters and lessons of a course by name, number or part of a name.

A project is a chapter whose lessons, its steps, share one file of the learner's: the text that
passed a step, and what the next one adds to it, is what the next one starts from.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress
from functools import cached_property
from itertools import takewhile
from pathlib import Path

from msgspec import Struct

from jaxtutor.content.course_files import UnreadableFile, read_text, say_why
from jaxtutor.content.lesson import OTHERS_WORK, STEP, Lesson
from jaxtutor.core.data.lessons import LessonError, ProjectInfo, read_project
from jaxtutor.core.data.lessons import suggest as suggest_names
from jaxtutor.core.data.sanitize import visible
from jaxtutor.errors import CourseError, UnknownLesson, UsageError

PREFIX = "project:"
"""Before the name of a project, where a lesson can be given too."""


class Chapter(Struct, frozen=True, dict=True):
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
        """The text of a chapter or a project, in Markdown; empty if it cannot be read."""
        try:
            return read_text(self.folder, "project.md" if self.is_project else "chapter.md")
        except (OSError, UnreadableFile, UnicodeDecodeError):
            return ""

    @property
    def introduction(self) -> str:
        """The first paragraph of its page, below the heading; empty if there is none."""
        _, _, text = self.page.lstrip().partition("\n")
        return text.strip().partition("\n\n")[0]

    @cached_property
    def title(self) -> str:
        """The first heading of `chapter.md` or a project's title; otherwise the folder's name."""
        if self.is_project:
            with suppress(CourseError):
                return self.info.title
            return _words(self.folder.name)
        heading = visible(self.page.lstrip().partition("\n")[0])
        return heading.lstrip("# ") if heading.startswith("#") else _words(self.folder.name)


class Course(Struct, frozen=True, dict=True):
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

        Steps are found by a part of their name only where no lesson has that part. A number alone
        is that of a chapter, so it is a part of no name.
        """
        wanted = text.strip().lower().replace("_", "-").removesuffix(".py")
        wanted = re.sub(r"^\d+-(?=[a-z])", "", wanted)
        every = self.every_lesson
        exact = [lesson for lesson in every if wanted in (lesson.slug, lesson.number.lower())]
        is_part = wanted != "" and not wanted.isdecimal()
        partial = [lesson for lesson in self.lessons if is_part and wanted in lesson.slug]
        steps = [step for step in self.steps if is_part and wanted in step.slug]
        found = exact or partial or steps
        if len(found) == 1:
            return found[0]
        if found:
            slugs = ", ".join(lesson.slug for lesson in found)
            raise UnknownLesson(f"{text!r} could be any of {slugs}.", "Type more of its name.")
        raise self._unknown(text, wanted)

    def find_part(self, text: str) -> Chapter | None:
        """Find a chapter by its number, or a project as `find_project` does; None if none is meant.

        Raises UnknownLesson for a `project:` that does not exist.
        """
        wanted = text.strip()
        number = int(wanted) if wanted.isdecimal() else None
        chapters = (it for it in self.chapters if it.number == number and it.lessons)
        return next(chapters, None) or self.find_project(text)

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


def _words(folder: str) -> str:
    return re.sub(r"^\d+_", "", folder).replace("_", " ").capitalize()
