"""Owns what every command needs, made when first used: course, workspace, store, screen."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

from jaxtutor.content import course as courses
from jaxtutor.content.course import Course, Lesson
from jaxtutor.errors import StoreError, UsageError
from jaxtutor.options import Options
from jaxtutor.storage import clock
from jaxtutor.storage import workspace as workspaces
from jaxtutor.storage.workspace import Workspace

if TYPE_CHECKING:
    from rich.console import Console

    from jaxtutor.checking.lesson_check import Checker
    from jaxtutor.content.cause_pages import Library
    from jaxtutor.display.prose import ProseRenderer
    from jaxtutor.display.render import Renderer
    from jaxtutor.display.theme import Marks
    from jaxtutor.processes.spawn import Process
    from jaxtutor.storage.store import Store


@dataclass
class App:
    """The surroundings of one command; streams and environment are passed in, so tests own them."""

    options: Options
    stdout: TextIO = field(default_factory=lambda: sys.stdout)
    stderr: TextIO = field(default_factory=lambda: sys.stderr)
    environ: Mapping[str, str] = field(default_factory=lambda: os.environ)
    early: Process | None = None

    @cached_property
    def course(self) -> Course:
        """The course asked for, or the one that comes with jaxtutor."""
        return courses.load(self.options.course)

    @cached_property
    def workspace(self) -> Workspace:
        """Where the learner's files and data live."""
        return workspaces.locate(self.options.workspace, self.environ)

    @cached_property
    def library(self) -> Library:
        """The pages of causes."""
        from jaxtutor.content.cause_pages import Library

        return Library()

    @cached_property
    def store(self) -> Store:
        """The progress file. Raises StoreError."""
        from jaxtutor.storage.store import Store

        course = self.options.course
        # Path.resolve raises where links lead round in a circle, before Python 3.13.
        name = Path(os.path.realpath(course)).name if course else "jaxtutor"
        name = os.fsencode(name).decode("utf-8", "backslashreplace")  # a name may be any bytes
        return Store(self.workspace.progress, name, clock.now, self.warn)

    @cached_property
    def checker(self) -> Checker:
        """What checks submissions; it starts processes only when asked to. Raises TutorError."""
        self.trust_course()
        from jaxtutor.checking.lesson_check import Checker
        from jaxtutor.processes.runner import Runner

        return Checker(
            Runner(self.early),
            self.library,
            self.workspace.references,
            self.options.device,
            programs=self.workspace.programs,
        )

    def trust_course(self) -> None:
        """See that the course may be run, asking where a person can answer. Raises TutorError."""
        if self.options.course is not None:
            from jaxtutor.content import trust

            ask = self._ask if self.interactive and not self.options.json else None
            trust.agree(self.course.folder, self.workspace.trusted, self.environ, ask)

    def _ask(self, question: str) -> bool:
        from jaxtutor.display.theme import visible

        self.stderr.write(visible(question))
        self.stderr.flush()
        return sys.stdin.readline().strip().lower() in ("y", "yes")

    def close(self) -> None:
        """End what was started."""
        made = vars(self)
        if "checker" in made:
            from jaxtutor.storage import caches

            self.checker.runner.close()
            caches.trim((self.workspace.references, self.workspace.programs))
        elif self.early is not None:
            from jaxtutor.processes.runner import bury

            bury(self.early)
        if "store" in made:
            self.store.close()

    # ------------------------------------------------------------ the screen

    @cached_property
    def console(self) -> Console:
        """The console of standard output."""
        from jaxtutor.display.theme import make_console

        return make_console(self.stdout, self.options.plain, self.environ)

    @cached_property
    def marks(self) -> Marks:
        """The signs that standard output can show."""
        from jaxtutor.display.theme import choose_marks

        return choose_marks(self.console, self.options.plain)

    @cached_property
    def pen(self) -> ProseRenderer:
        """What draws sentences."""
        from jaxtutor.display.prose import ProseRenderer

        return ProseRenderer(self.console, self.marks)

    @cached_property
    def renderer(self) -> Renderer:
        """What draws verdicts."""
        from jaxtutor.display.render import Renderer

        return Renderer(self.console, self.marks)

    @property
    def interactive(self) -> bool:
        """Tell whether a person is at both ends."""
        return sys.stdin.isatty() and self.stdout.isatty()

    def print_json(self, report: dict[str, Any]) -> None:
        """Print one JSON object on a line of its own."""
        import json

        self.stdout.write(json.dumps(report, ensure_ascii=True) + "\n")
        self.stdout.flush()

    def warn(self, message: str, remedy: str = "") -> None:
        """Say on standard error what is amiss though the command goes on."""
        from jaxtutor.display.theme import visible, wrap

        text = visible(f"jaxtutor: {message} {remedy}".rstrip())
        self.stderr.write(wrap(text, self.stderr, self.environ) + "\n")
        self.stderr.flush()

    # ------------------------------------------------------------ lessons

    def lesson(self, name: str | None) -> Lesson:
        """Find the lesson named, or the one the learner is at."""
        if name:
            return self.course.find(name)
        current = self.current()
        slugs = [lesson.slug for lesson in self.course.lessons]
        if current in slugs:
            return self.course.lessons[slugs.index(current)]
        return self.course.first()

    def current(self) -> str | None:
        """Return the slug of the lesson the learner is at; None where it is not known."""
        try:
            return self.store.current()
        except StoreError as error:
            self.warn(error.message, error.remedy)
            return None

    def file(self, lesson: Lesson) -> Path:
        """Name the learner's file for a lesson."""
        return self.workspace.lesson_file(lesson.chapter_folder, lesson.folder.name)

    def lesson_of(self, file: Path) -> Lesson:
        """Tell which lesson a file is for, by its name. Raises UsageError."""
        for lesson in self.course.lessons:
            if file.stem in (lesson.folder.name, lesson.slug, lesson.slug.replace("-", "_")):
                return lesson
        raise UsageError(
            f"{file} is not named like a lesson's file.",
            "Say which lesson it is for: jaxtutor check FILE --lesson LESSON",
        )
