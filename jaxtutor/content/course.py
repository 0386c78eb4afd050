"""Loads a course from disk, and finds chapters and lessons by name, number or part of a name."""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Iterator
from functools import cached_property
from itertools import takewhile
from pathlib import Path

from msgspec import Struct

from jaxtutor.core.data.lessons import (
    Expectation,
    LessonError,
    LessonInfo,
    read_expectation,
    read_info,
)
from jaxtutor.core.data.lessons import suggest as suggest_names
from jaxtutor.core.data.lines import with_line_feeds
from jaxtutor.core.data.sanitize import visible
from jaxtutor.errors import CourseError, UnknownLesson, UsageError
from jaxtutor.storage.workspace import LARGEST, explain, look
from jaxtutor.system import packages

FILES = ("lesson.toml", "lesson.md", "starter.py", "solution.py", "checks.py")
"""The files that every lesson has."""

PACKED = ".txt"
"""The suffix that a wheel adds to the names of solutions and of known submissions."""

MISSING, NO_FILE, LEADS_OUT = "is missing", "is not a file", "leads out of it"
TOO_LARGE = f"is larger than {LARGEST >> 20} MiB"

OTHERS_WORK = "The other lessons work: jaxtutor list"
_NUMBERED = re.compile(r"(\d+)_([a-z0-9_]+)")


class _UnreadableFile(Exception):
    """A file of a course is refused; the message completes "checks.py …"."""


class Lesson(Struct, frozen=True, dict=True):
    """One lesson's folder. Its files are read on first use."""

    folder: Path
    number: str
    slug: str

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
        faults = {name: _find_fault(self.folder, name) for name in FILES}
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
        return () if self.fault else packages.find_missing(self.info.needs.packages)

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
            return _text(self.folder, name)
        except _UnreadableFile as error:
            raise self._broken(f"{name} {error}.") from error
        except OSError as error:
            raise self._broken(f"{name} {_say_why(error)}.") from error
        except UnicodeDecodeError as error:
            raise self._broken(f"{name} is not UTF-8 text.") from error

    @property
    def page(self) -> str:
        """The lesson's text, in Markdown."""
        return self.read("lesson.md")

    @property
    def starter(self) -> str:
        """The file that the learner starts from."""
        return self.read("starter.py")

    @property
    def solution(self) -> str:
        """The lesson's own solution."""
        return self.read("solution.py")

    @property
    def chapter_folder(self) -> str:
        """The name of the chapter's folder, `03_error_clinic`."""
        return self.folder.parent.name

    def mistakes(self) -> Iterator[tuple[Path, Expectation]]:
        """Yield the known wrong submissions and the expected result of each. Raises CourseError."""
        for path in _answers(self.folder / "mistakes"):
            try:
                name = f"mistakes/{path.name}"
                yield path, read_expectation(self.read(name), name)
            except LessonError as error:
                raise CourseError(f"The lesson {self.slug} is broken: {error}") from error

    def alternatives(self) -> list[Path]:
        """Return the other right solutions."""
        return _answers(self.folder / "also")


class Chapter(Struct, frozen=True, dict=True):
    """One folder of lessons, in order."""

    folder: Path
    number: int
    lessons: tuple[Lesson, ...]

    @cached_property
    def title(self) -> str:
        """The first heading of `chapter.md`, or the folder's name."""
        try:
            first = _text(self.folder, "chapter.md").lstrip()
        except (OSError, _UnreadableFile, UnicodeDecodeError):
            first = ""
        heading = visible(first.partition("\n")[0])
        return heading.lstrip("# ") if heading.startswith("#") else _words(self.folder.name)


class Course(Struct, frozen=True):
    """All chapters of one folder."""

    folder: Path
    chapters: tuple[Chapter, ...]

    @property
    def lessons(self) -> tuple[Lesson, ...]:
        """All lessons, in order."""
        return tuple(lesson for chapter in self.chapters for lesson in chapter.lessons)

    def chapter_of(self, lesson: Lesson) -> Chapter:
        """Return the chapter that a lesson belongs to."""
        return next(chapter for chapter in self.chapters if lesson in chapter.lessons)

    def find(self, text: str) -> Lesson:
        """Find a lesson by slug, number, or any unambiguous part. Raises UnknownLesson."""
        wanted = text.strip().lower().replace("_", "-").removesuffix(".py")
        wanted = re.sub(r"^\d+-(?=[a-z])", "", wanted)
        exact = [lesson for lesson in self.lessons if wanted in (lesson.slug, lesson.number)]
        partial = [lesson for lesson in self.lessons if wanted and wanted in lesson.slug]
        found = exact or partial
        if len(found) == 1:
            return found[0]
        if found:
            slugs = ", ".join(lesson.slug for lesson in found)
            raise UnknownLesson(f"{text!r} could be any of {slugs}.", "Type more of its name.")
        raise self._unknown(text, wanted)

    def find_chapter(self, text: str) -> Chapter:
        """Find a chapter by its number or any unambiguous part of its name. Raises UsageError."""
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
        close = suggest_names(wanted, [lesson.slug for lesson in self.lessons])
        remedy = f"Did you mean {' or '.join(close)}?" if close else "See: jaxtutor list"
        return UnknownLesson(f"There is no lesson {text!r}.", remedy)

    def after(self, lesson: Lesson, step: int = 1) -> Lesson | None:
        """Return the next usable lesson in steps of `step`, or None past either end."""
        return next((it for it in self._onward(lesson, step) if it.is_usable), None)

    def skipped_after(self, lesson: Lesson, step: int = 1) -> tuple[Lesson, ...]:
        """Return the lessons that `after` skips because their packages are missing."""
        onward = takewhile(lambda it: not it.is_usable, self._onward(lesson, step))
        return tuple(it for it in onward if it.missing)

    def _onward(self, lesson: Lesson, step: int) -> Iterator[Lesson]:
        place = self.lessons.index(lesson)
        yield from self.lessons[place + 1 :] if step > 0 else reversed(self.lessons[:place])

    def first(self) -> Lesson:
        """Return the first usable lesson; the first of all if none is."""
        return next((lesson for lesson in self.lessons if lesson.is_usable), self.lessons[0])


def load(folder: Path | None) -> Course:
    """Load a course, by default the built-in one. Raises CourseError."""
    folder = (folder or built_in()).absolute()
    if not folder.is_dir():
        raise _no_folder(folder)
    folder = _course_in(folder)
    chapters = tuple(_load_chapters(folder))
    if not any(chapter.lessons for chapter in chapters):
        raise CourseError(
            f"{folder} holds no lessons.",
            "A course has folders like 01_basics/01_first_lesson/, each with a lesson.toml.",
        )
    return Course(folder, chapters)


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
    if (folder / "course.toml").exists() or _numbered(folder):
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


def _text(folder: Path, name: str) -> str:
    """Read a file of a course: a plain file inside its folder, of no more than a submission's size.

    Raises OSError, _UnreadableFile, UnicodeDecodeError.
    """
    path = _find(folder, name)
    if not _is_inside(folder, path):
        raise _UnreadableFile(LEADS_OUT)
    data = look(path)[1]
    if len(data) > LARGEST:
        raise _UnreadableFile(TOO_LARGE)
    return with_line_feeds(data.decode("utf-8"))


def _find(folder: Path, name: str) -> Path:
    """Return where a file of a course is: in a wheel, the answers have one more suffix.

    So they are neither compiled nor importable; see hatch_build.py.
    """
    path, packed = folder / name, folder / f"{name}{PACKED}"
    return (
        packed if name.endswith(".py") and not os.path.lexists(path) and packed.exists() else path
    )


def unpacked(name: str) -> str:
    """Return the name that a file has in a checkout: a wheel adds `.txt` to some programs."""
    return name.removesuffix(PACKED) if name.endswith(f".py{PACKED}") else name


def _answers(folder: Path) -> list[Path]:
    """Return the programs of a folder under the names that they have in a checkout."""
    names = {
        it.name.removesuffix(PACKED) for it in (*folder.glob("*.py"), *folder.glob(f"*.py{PACKED}"))
    }
    return [folder / name for name in sorted(names)]


def _is_inside(folder: Path, path: Path) -> bool:
    if path.parent == folder and not path.is_symlink():
        return True
    # Before Python 3.13, Path.resolve raises for circular links.
    return Path(os.path.realpath(path)).is_relative_to(os.path.realpath(folder))


def _find_fault(folder: Path, name: str) -> str:
    """Return why a file cannot be read, as far as its metadata shows."""
    try:
        status = os.lstat(f"{folder}{os.sep}{name}")
        if not stat.S_ISREG(status.st_mode):
            return _find_other_fault(folder, folder / name)
    except OSError:
        return _find_other_fault(folder, _find(folder, name))
    return TOO_LARGE if status.st_size > LARGEST else ""


def _find_other_fault(folder: Path, path: Path) -> str:
    """Return why a file cannot be read that is packed, a link, missing, or not a file."""
    try:
        if path.is_symlink() and not _is_inside(folder, path):
            return LEADS_OUT
        status = path.stat()
    except OSError as error:
        return _say_why(error)
    if not stat.S_ISREG(status.st_mode):
        return NO_FILE
    return TOO_LARGE if status.st_size > LARGEST else ""


def _say_why(error: OSError) -> str:
    if isinstance(error, FileNotFoundError):
        return MISSING
    if isinstance(error, IsADirectoryError):
        return NO_FILE
    return f"could not be read: {explain(error)}"


def _words(folder: str) -> str:
    return re.sub(r"^\d+_", "", folder).replace("_", " ").capitalize()
