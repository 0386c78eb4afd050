"""Creates what commands share when first used: course, workspace, store, checker, console."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

from jaxtutor.content.course import Chapter, Course
from jaxtutor.content.lesson import Lesson
from jaxtutor.content.loading import load_course
from jaxtutor.errors import StoreError, UsageError
from jaxtutor.options import Options
from jaxtutor.storage import clock
from jaxtutor.storage import workspace as workspaces
from jaxtutor.storage.workspace import Workspace

if TYPE_CHECKING:
    from rich.console import Console

    from jaxtutor.checks.lesson_check import Checker
    from jaxtutor.content.added_courses import AddedCourses
    from jaxtutor.content.cause_pages import Library
    from jaxtutor.core.learning.terms import Glossary
    from jaxtutor.core.reporting.outputs.output import Output
    from jaxtutor.display.prose import ProseRenderer
    from jaxtutor.display.render import Renderer
    from jaxtutor.display.theme import Marks
    from jaxtutor.display.waiting import Waiting
    from jaxtutor.processes.runner import Runner
    from jaxtutor.processes.spawn import Process
    from jaxtutor.storage.reordering import Reordering
    from jaxtutor.storage.settings import Settings
    from jaxtutor.storage.store import Store
    from jaxtutor.system.editor import Editor, NoEditor


@dataclass
class App:
    """The context of one command. Streams and environment are passed in, so tests control them."""

    options: Options
    stdout: TextIO = field(default_factory=lambda: sys.stdout)
    stderr: TextIO = field(default_factory=lambda: sys.stderr)
    environ: Mapping[str, str] = field(default_factory=lambda: os.environ)
    early: Process | None = None
    _named: set[str] = field(default_factory=set, init=False)  # their other files

    @cached_property
    def course(self) -> Course:
        """The course given by `--course`, or the built-in one."""
        return load_course(self.options.course)

    def read_all_lessons(self) -> None:
        """Read what is known of every lesson from one file; a single lesson is read by itself."""
        from jaxtutor.content import lesson_index

        lesson_index.fill(self.course, self.workspace.pages)

    @cached_property
    def workspace(self) -> Workspace:
        """The folder of the learner's files and data; files in a checkout are moved there."""
        place = workspaces.locate(self.options.workspace, self.environ)
        if place.left is not None:
            self._leave(place.left, place.root)
        return place

    def _leave(self, checkout: Path, root: Path) -> None:
        """Move the learner's files out of a checkout of jaxtutor, and say so."""
        from jaxtutor.storage import relocation

        why = f"{checkout} is a clone of jaxtutor, where `git clean` deletes your files."
        try:
            if count := relocation.move_out(checkout, root):
                files = "Your file is" if count == 1 else f"All {count} of them are"
                self.warn(why, f"\n  {files} in {root} now.")
        except OSError as error:
            reason = workspaces.explain(error)
            self.warn(why, f"\n  They could not be moved: {reason}. Move them to {root} yourself.")

    @cached_property
    def settings(self) -> Settings:
        """The settings file and the environment, whatever is wrong with them."""
        from jaxtutor.storage.settings import load

        return load(self.environ)

    def find_editor(self, remembered: str | None) -> Editor | NoEditor:
        """Find the learner's editor; `remembered` was chosen in a session. Raises TutorError."""
        from jaxtutor.system.editor import find_editor

        chosen = str(self.settings.value("editor"))
        return find_editor(self.environ, remembered=remembered, setting=chosen)

    @cached_property
    def library(self) -> Library:
        """The pages that explain causes."""
        from jaxtutor.content.cause_pages import Library

        return Library()

    @cached_property
    def store(self) -> Store:
        """The progress file. Raises StoreError."""
        from jaxtutor.storage.store import Store

        course = self.options.course
        # Before Python 3.13, Path.resolve raises on a loop of symbolic links.
        name = Path(os.path.realpath(course)).name if course else "jaxtutor"
        name = os.fsencode(name).decode("utf-8", "backslashreplace")  # a file name may be any bytes
        return Store(self.workspace.progress, name, clock.now, self.warn)

    @cached_property
    def runner(self) -> Runner:
        """The runner of programs; it starts processes when first needed."""
        from jaxtutor.processes.runner import Runner

        return Runner(self.early)

    @cached_property
    def checker(self) -> Checker:
        """The checker of submissions. Raises TutorError."""
        self.trust_course()
        from jaxtutor.checks.lesson_check import Checker

        self.library.read_ahead()
        return Checker(
            self.runner,
            self.library,
            self.workspace.references,
            self.options.device,
            programs=self.workspace.programs,
            time_factor=float(self.settings.value("limits.time")),
            least_memory=self._least_memory,
        )

    @property
    def _least_memory(self) -> int:
        memory = self.settings.value("limits.memory")
        return memory if isinstance(memory, int) else 0

    @property
    def added_courses(self) -> AddedCourses:
        """The courses that the learner added."""
        from jaxtutor.content.added_courses import AddedCourses

        return AddedCourses(self.workspace.data / "courses")

    def find_added_course(self) -> None:
        """Replace the name of an added course in `--course` by its folder; a folder comes first."""
        given = self.options.course
        if given is None or len(given.parts) != 1 or given.is_dir():
            return
        from jaxtutor.content.added_courses import NAME

        record = self.workspace.data / "courses" / f"{given}.json"
        if NAME.fullmatch(str(given)) and record.exists():
            self.options.course = Path(self.added_courses.find(str(given)).folder)

    def trust_course(self) -> None:
        """Ask for consent to run another course, if a person can answer. Raises TutorError."""
        if self.options.course is not None:
            from jaxtutor.content import trust

            ask = self._ask if self.interactive and not self.options.json else None
            place = self.workspace
            own = (place.root, place.data)
            trust.agree(self.course.folder, place.trusted, self.environ, ask, own)

    def _ask(self, question: str) -> bool:
        from jaxtutor.display.theme import visible

        self.stderr.write(visible(question))
        self.stderr.flush()
        return sys.stdin.readline().strip().lower() in ("y", "yes")

    def close(self) -> None:
        """Stop the processes and close the files that were opened."""
        created = vars(self)
        if "runner" in created:
            from jaxtutor.storage import caches

            self.runner.close()
            place = self.workspace
            caches.trim((place.references, place.programs, place.operations))
        elif self.early is not None:
            from jaxtutor.processes.reaping import reap

            reap(self.early)
        if "store" in created:
            self.store.close()

    # ------------------------------------------------------------ output

    @cached_property
    def console(self) -> Console:
        """The console of standard output."""
        from jaxtutor.display.theme import make_console

        return make_console(self.stdout, self.options.plain, self.environ, self.colours)

    @property
    def colours(self) -> str:
        """The name of the chosen set of colours; the usual one if a variable is not valid."""
        try:
            return str(self.settings.value("colours"))
        except UsageError:
            return "auto"  # the command reports it, and its report needs a console

    @cached_property
    def marks(self) -> Marks:
        """The symbols that standard output can encode."""
        from jaxtutor.display.theme import choose_marks

        return choose_marks(self.console, self.options.plain)

    @cached_property
    def prose_renderer(self) -> ProseRenderer:
        """The renderer of sentences."""
        from jaxtutor.display.prose import ProseRenderer

        return ProseRenderer(self.console, self.marks)

    @cached_property
    def renderer(self) -> Renderer:
        """The renderer of verdicts."""
        from jaxtutor.display.render import Renderer

        return Renderer(self.console, self.marks, self.glossary)

    @cached_property
    def glossary(self) -> Glossary:
        """The terms that the course introduces."""
        from jaxtutor.core.learning.terms import Glossary

        return Glossary(self.library.terms, (lesson.slug for lesson in self.course.lessons))

    @property
    def interactive(self) -> bool:
        """Return whether standard input and output are both terminals."""
        return sys.stdin.isatty() and self.stdout.isatty()

    def print_json(self, output: Output, texts: Mapping[str, str] | None = None) -> None:
        """Print one JSON object on a line of its own, or the format for another tool.

        `texts` has the sources of the output's files, where they are known.
        """
        from jaxtutor.core.reporting.outputs.output import write_json

        if self.options.format:
            self.stdout.write(self._formatted(output, texts or {}))
        else:
            self.stdout.write(write_json(output) + "\n")
        self.stdout.flush()

    def _formatted(self, output: Output, texts: Mapping[str, str]) -> str:
        from jaxtutor import __version__
        from jaxtutor.core.reporting import problem_formats
        from jaxtutor.core.reporting.outputs.output import to_json

        context = problem_formats.FormatContext(str(Path.cwd()), __version__, self.library, texts)
        return problem_formats.write(self.options.format, to_json(output), context)

    def warn(self, message: str, remedy: str = "") -> None:
        """Report a problem on standard error; the command continues."""
        from jaxtutor.core.data.sanitize import visible
        from jaxtutor.system.wrapping import wrap

        gap = "" if not remedy or remedy.startswith("\n") else " "
        text = visible(f"jaxtutor: {message}{gap}{remedy}")
        self.stderr.write(wrap(text, self.stderr, self.environ) + "\n")
        self.stderr.flush()

    def waiting(self, message: str, lasting: bool = False) -> Waiting:
        """Say on standard error what takes more than a second, until the block ends.

        `lasting` says it in one line even where the line cannot be erased, such as in a pipe.
        """
        from jaxtutor.display.waiting import Waiting

        quiet = self.options.json
        dumb = self.options.plain or self.environ.get("TERM", "") in ("", "dumb")
        erasable = self.stderr.isatty() and not dumb and not quiet
        return Waiting(message, self.stderr, erasable, lasting and not quiet)

    # ------------------------------------------------------------ lessons

    def lesson(self, name: str | None) -> Lesson:
        """Find the lesson by name, or return the current one."""
        if name:
            part = self.course.find_part(name)
            return self.open_part(part) if part else self.course.find(name)
        current = self.current()
        every = self.course.every_lesson
        return next((one for one in every if one.slug == current), None) or self.course.first()

    def open_part(self, part: Chapter) -> Lesson:
        """Return the first lesson of a chapter, or step of a project, that has not passed.

        If all have passed, it is the first lesson, or the last step: the whole program.
        """
        try:
            passed = {slug for slug, done in self.store.progress().items() if done.passed_at}
        except StoreError as error:
            self.warn(error.message, error.remedy)
            passed = set()
        lessons = [it for it in part.lessons if it.is_usable] or part.lessons
        left = (it for it in lessons if it.slug not in passed)
        return next(left, lessons[-1 if part.is_project else 0])

    def current(self) -> str | None:
        """Return the slug of the current lesson; None if it is not known."""
        try:
            return self.store.current()
        except StoreError as error:
            self.warn(error.message, error.remedy)
            return None

    def file(self, lesson: Lesson) -> Path:
        """Return the path of the learner's file for a lesson, wherever an older order had it."""
        path = self.workspace.lesson_file(*lesson.place)
        found = self._reordering
        kept = found.kept.get(lesson.place)
        if kept and kept[0].exists() and not os.path.lexists(path):
            path = kept[0]
        others = found.others.get(lesson.place)
        if others and lesson.slug not in self._named:
            from jaxtutor.storage.reordering import describe_others

            self._named.add(lesson.slug)
            self.warn(describe_others(lesson.slug, path, others, self.workspace.root))
        return path

    @cached_property
    def _reordering(self) -> Reordering:
        """The result of moving files from where an older order of the course had them."""
        from jaxtutor.storage import reordering

        root = self.workspace.root
        places = [lesson.place for lesson in self.course.lessons]
        found = reordering.reorder(root, places, self._is_shared)
        for line in reordering.describe(found, root):
            self.warn(line)
        return found

    def _is_shared(self, name: str) -> bool:
        """Return whether the learner has worked on a lesson of this name in another course."""
        try:
            return name.replace("_", "-") in self.store.lessons_of_other_courses()
        except StoreError:
            return True  # not known

    def holding_files(self) -> AbstractContextManager[None]:
        """Keep other commands from moving the learner's files while they are open."""
        from jaxtutor.storage import reordering

        return reordering.held(self.workspace.root)

    def lesson_of(self, file: Path) -> Lesson:
        """Find the lesson that a file belongs to, by the file's name. Raises UsageError."""
        names = {it.replace("_", "-") for it in (file.stem, re.sub(r"^\d+_", "", file.stem))}
        for lesson in self.course.lessons:
            if lesson.slug in names:
                return lesson
        if project := self.course.find_project(file.stem):
            return self.open_part(project)
        raise UsageError(
            f"{file} does not have the name of a lesson's file.",
            "Name the lesson: jaxtutor check FILE --lesson LESSON",
        )
