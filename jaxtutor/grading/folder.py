"""Finds out who handed in what: reads a folder or an archive, and applies the roster."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path, PurePath

from msgspec.structs import replace

from jaxtutor.content.course import Course
from jaxtutor.content.lesson import Lesson
from jaxtutor.core.data.sanitize import visible
from jaxtutor.core.grading.file_names import (
    LessonNames,
    NamedFile,
    Parts,
    assign,
    doubles,
    is_chapter,
    natural,
    read_lms_name,
    wrapper,
)
from jaxtutor.core.grading.fingerprint import Fingerprint
from jaxtutor.core.grading.grades import Grade, SubmittedFile, missing, ungraded
from jaxtutor.core.grading.roster import Person, Student, recognize, same_names
from jaxtutor.errors import UsageError
from jaxtutor.grading.copies import with_copies_noted
from jaxtutor.grading.gradescope import ExportError, GradescopeSubmission, with_submitters
from jaxtutor.grading.reader import Reader
from jaxtutor.grading.readings import Found, Reading
from jaxtutor.grading.sources import METADATA, WHICH

NOT_LISTED = "not on the roster"

DESK = Path("/submission")
"""The folder that a submission sees as its own; nothing else is in it."""


@dataclass(frozen=True)
class Expectations:
    """What is expected: of which learners, for which lessons, and until when.

    `only` is the one lesson to grade. With `one_learner`, all files belong to one submission.
    """

    only: str | None = None
    lessons: tuple[str, ...] = ()
    students: tuple[Student, ...] = ()
    deadline: datetime | None = None
    one_learner: bool = False


@dataclass(frozen=True)
class SubmissionFolder:
    """What a folder holds: submissions to grade, and grades of what cannot be checked.

    `students` are the rows of the roster, and `prefixes` what an LMS expects in the names of files,
    both by learner.
    """

    submissions: tuple[SubmittedFile, ...]
    settled: tuple[Grade, ...]
    students: dict[str, Student] = field(default_factory=dict)
    prefixes: dict[str, str] = field(default_factory=dict)


def seen_as(lesson: Lesson) -> Path:
    """Return the path of a submission for a lesson, as the submission itself sees it."""
    return DESK / f"{lesson.folder.name}.py"


def collect(
    place: Path, course: Course, only: Lesson | None = None, expected: Expectations | None = None
) -> SubmissionFolder:
    """Find the learners' files in a folder or an archive, and read them. Raises UsageError."""
    wanted = expected or Expectations(only=only.slug if only else None)
    with Reader(place) as reader:
        source = reader.source
        if not source.files and not source.folders and not wanted.students:
            raise UsageError(f"{place} holds no Python files and no notebooks.", WHICH)
        return _Collection(place, course, wanted, reader).read()


class _Collection:
    """The files of one source, with their learners."""

    def __init__(self, place: Path, course: Course, expected: Expectations, reader: Reader) -> None:
        source = reader.source
        self.reader = reader
        self.readings: dict[Parts, Reading] = {}
        self.course = course
        self.expected = expected
        home = place.resolve()
        self.home = home.stem if source.is_archive else home.name
        names = [LessonNames(it.slug, it.folder.name, it.chapter_folder) for it in course.lessons]
        handed_in = _gradescope(place, reader)
        skipped = 0
        if source.metadata is not None:
            skipped = len(source.metadata) - 1
        elif source.is_archive:
            skipped = len(wrapper([it.parts for it in source.files], names, self.home))
        found = sorted(source.files, key=lambda it: tuple(map(natural, it.parts)))
        self.found = {it.parts[skipped:]: it for it in found if len(it.parts) > skipped}
        self.entries = assign(list(self.found), names, self.home, expected.only)
        self.entries = with_submitters(self.entries, handed_in)
        if expected.one_learner:
            self.entries = tuple(replace(it, learner=self.home) for it in self.entries)
        chapters = {it.chapter_folder for it in course.lessons}
        empty = source.without_files(skipped)
        self.empty = [
            who
            for it in empty
            if not is_chapter(it, chapters)
            for who in _empty_handed(it, handed_in)
        ]
        self.shared_names = same_names(expected.students)
        people = {*map(_person, self.entries), *self.empty}
        self.recognized = recognize(people, expected.students)

    def read(self) -> SubmissionFolder:
        entries = [(it, self._display(_person(it))) for it in self.entries]
        twice = doubles([replace(entry, learner=learner) for entry, learner in entries])
        made = [self._read(entry, (who, entry.lesson) in twice) for entry, who in entries]
        submissions = [it for it in made if isinstance(it, SubmittedFile)]
        settled = [it for it in made if isinstance(it, Grade)]
        return SubmissionFolder(
            tuple(with_copies_noted(submissions, self.course, self._prints())),
            (*settled, *self._missing(made)),
            {self._display_student(it): it for it in self.expected.students},
            {who: entry.prefix for entry, who in reversed(entries) if entry.prefix},
        )

    def _display(self, person: Person) -> str:
        student = self.recognized.get(person)
        return self._display_student(student) if student else on_one_line(person.name)

    def _display_student(self, student: Student) -> str:
        name = on_one_line(student.name)
        key = next(iter(student.keys), "") if student.name in self.shared_names else ""
        return f"{name} ({on_one_line(key)})" if key else name

    def _read(self, entry: NamedFile, is_double: bool) -> SubmittedFile | Grade:
        found = self.found[entry.parts]
        submission = self._described(entry, found, is_double)
        if found.problem:
            return ungraded(submission, "unreadable", found.problem)
        if entry.lesson is None:
            return ungraded(submission, "unnamed", "It is named like no lesson's file.")
        if found.parts not in self.readings:  # a group hands in one file
            label = str(seen_as(self.course.find(entry.lesson)))
            self.readings[found.parts] = self.reader.read(found.parts, label)
        reading = self.readings[found.parts]
        if reading.problem:
            return ungraded(submission, "unreadable", on_one_line(reading.problem))
        return _with_text(submission, reading)

    def _prints(self) -> dict[str, Fingerprint | None]:
        return {it.source: it.fingerprint for it in self.readings.values()}

    def _described(self, entry: NamedFile, found: Found, is_double: bool) -> SubmittedFile:
        person = _person(entry)
        student = self.recognized.get(person)
        is_late = self._is_late(entry, found, student)
        notes = {
            "one of several files for this lesson": is_double,
            NOT_LISTED: bool(self.expected.students) and student is None,
            "late": is_late,
        }
        return SubmittedFile(
            self._display(person),
            entry.lesson or "",
            on_one_line(str(PurePath(*entry.parts))),
            "",
            tuple(note for note, holds in notes.items() if holds),
            entry.id or _number_of(student),
            is_late,
        )

    def _is_late(self, entry: NamedFile, found: Found, student: Student | None) -> bool:
        """Compare times, if there are any; otherwise believe the LMS.

        The times in an archive of Canvas or Gradescope are those of the download.
        """
        due = (student and student.deadline) or self.expected.deadline
        sent = (student and student.submitted) or entry.submitted
        if sent is None and entry.lms not in ("canvas", "gradescope"):
            sent = found.modified
        if due is None or sent is None:
            return entry.is_late
        return sent.astimezone() > due.astimezone()  # a time without a zone is local

    def _missing(self, made: Sequence[SubmittedFile | Grade]) -> Iterator[Grade]:
        """Yield what was not handed in, for the students of the roster and for empty folders."""
        handed_in = {(it.learner, it.lesson) for it in made}
        lessons = self._lessons(made)
        for learner, number in self._awaited(made):
            for lesson in lessons:
                if (learner, lesson) not in handed_in:
                    yield missing(learner, lesson, number)

    def _awaited(self, made: Sequence[SubmittedFile | Grade]) -> Iterator[tuple[str, str]]:
        numbers = {it.learner: it.id for it in made if it.id}
        awaited = {self._display_student(it): _number_of(it) for it in self.expected.students}
        if not self.expected.students:  # with a roster, another folder is not a learner's
            awaited = {self._display(it): it.id for it in self.empty}
        yield from ((learner, numbers.get(learner, number)) for learner, number in awaited.items())

    def _lessons(self, made: Iterable[SubmittedFile | Grade]) -> list[str]:
        """Return the lessons that every learner is expected to hand in."""
        if self.expected.only:
            return [self.expected.only]
        handed_in = {it.lesson for it in made if it.lesson}
        return list(self.expected.lessons) or sorted(handed_in) or [""]


def _gradescope(place: Path, reader: Reader) -> dict[str, GradescopeSubmission]:
    """Return who handed in each folder of Gradescope's export; nothing for other sources."""
    if reader.source.metadata is None:
        return {}
    try:
        return reader.read_metadata()
    except ExportError as error:
        raise UsageError(
            f"{METADATA} in {place} cannot be used: {error}",
            "Export the submissions from Gradescope again, or remove that file from them.",
        ) from error


def _person(entry: NamedFile) -> Person:
    return Person(entry.learner, entry.id, entry.keys)


def _empty_handed(folder: str, handed_in: Mapping[str, GradescopeSubmission]) -> list[Person]:
    if submitters := handed_in.get(folder, GradescopeSubmission(())).submitters:
        return [Person(it.name, it.number or it.email, it.keys) for it in submitters]
    named = read_lms_name(folder)
    return [Person(named.learner, named.id) if named else Person(folder)]


def _number_of(student: Student | None) -> str:
    return next(iter(student.keys), "") if student else ""


def _with_text(submission: SubmittedFile, reading: Reading) -> SubmittedFile:
    count = reading.left_out
    lines = "1 line that is not Python was" if count == 1 else f"{count} lines not in Python were"
    notes = (*submission.notes, *([f"{lines} left out"] if count else []))
    return replace(
        submission,
        source=reading.source,
        notes=notes,
        cells=reading.cells,
        broken=reading.broken,
    )


def on_one_line(name: str) -> str:
    """Make any file name printable, so that different names stay different."""
    reported = os.fsencode(name).decode("utf-8", "backslashreplace")
    return visible(reported).replace("\n", "\u240a")
