"""Grades a folder of submissions: finds and reads the files, and checks them in parallel."""

from __future__ import annotations

import os
from collections import Counter, defaultdict
from collections.abc import Generator, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path, PurePath
from typing import Any

from msgspec.structs import replace

from jaxtutor.checking.lesson_check import Checker, Trial
from jaxtutor.content.course import Course, Lesson
from jaxtutor.core.data.sanitize import visible
from jaxtutor.core.judging.measured import measured_checks
from jaxtutor.core.reporting.grades import Grade, SubmittedFile, grade_of, ungraded
from jaxtutor.core.reporting.roster import LessonNames, RosterEntry, assign, doubles
from jaxtutor.errors import SubmissionError, TutorError, UsageError
from jaxtutor.grading.meter import MOST_SUBMISSIONS, Meter
from jaxtutor.processes.runner import Cancel
from jaxtutor.storage import workspace

OF_TOOLS = frozenset({"__pycache__", "node_modules", "site-packages"})
DESK = Path("/submission")
"""The folder that a submission sees as its own; nothing else is in it."""


@dataclass(frozen=True)
class SubmissionFolder:
    """What a folder holds: submissions to grade, and grades of those that cannot be checked."""

    submissions: tuple[SubmittedFile, ...]
    settled: tuple[Grade, ...]


# ---------------------------------------------------------------- from a folder to submissions


def collect(folder: Path, course: Course, only: Lesson | None) -> SubmissionFolder:
    """Find the learners' files below a folder and read them. Raises UsageError."""
    found = sorted(_walk(folder, ()))
    if not found:
        raise UsageError(f"{folder} holds no Python files.", "Name the folder of the submissions.")
    names = [LessonNames(it.slug, it.folder.name, it.chapter_folder) for it in course.lessons]
    entries = assign(found, names, folder.resolve().name, only.slug if only else None)
    twice = doubles(entries)
    made = [_read(folder, it, (it.learner, it.lesson) in twice) for it in entries]
    submissions = [it for it in made if isinstance(it, SubmittedFile)]
    settled = tuple(it for it in made if isinstance(it, Grade))
    given = {lesson.slug: _given(lesson) for lesson in course.lessons}
    return SubmissionFolder(tuple(_compared(submissions, given)), settled)


def _walk(folder: Path, above: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    """Yield the Python files below a folder, except in hidden folders and those of tools."""
    try:
        found = list(os.scandir(folder))
    except OSError as error:
        if above:
            return
        reason = workspace.explain(error)
        raise UsageError(
            f"{folder} could not be read: {reason}.", "Name the folder of the submissions."
        ) from error
    for entry in found:
        parts = (*above, entry.name)
        if entry.is_dir(follow_symlinks=False):
            if not _is_of_tools(entry):
                yield from _walk(Path(entry.path), parts)
        elif entry.name.endswith(".py") and not entry.name.startswith("."):
            yield parts


def _is_of_tools(entry: os.DirEntry[str]) -> bool:
    is_environment = (Path(entry.path) / "pyvenv.cfg").exists()
    return entry.name.startswith(".") or entry.name in OF_TOOLS or is_environment


def _read(folder: Path, entry: RosterEntry, is_double: bool) -> SubmittedFile | Grade:
    file = _on_one_line(str(PurePath(*entry.parts)))
    notes = ("one of several files for this lesson",) if is_double else ()
    submission = SubmittedFile(_on_one_line(entry.learner), entry.lesson or "", file, "", notes)
    if entry.lesson is None:
        return ungraded(submission, "unnamed", "It is named like no lesson's file.")
    path = folder.joinpath(*entry.parts)
    try:
        text = workspace.read(path, follows_link=False).text
    except SubmissionError as error:
        says = _on_one_line(str(error)).replace(_on_one_line(str(path)), "It")
        return ungraded(submission, "unreadable", says)
    return replace(submission, source=text)


def _on_one_line(name: str) -> str:
    """Make any file name printable, so that different names stay different."""
    reported = os.fsencode(name).decode("utf-8", "backslashreplace")
    return visible(reported).replace("\n", "\u240a")


def _given(lesson: Lesson) -> dict[str, str]:
    """Return the texts that a learner was given, with the note for handing one in."""
    with suppress(TutorError):  # grading reports a broken lesson
        return {
            lesson.starter.strip(): "the starter, unchanged",
            lesson.solution.strip(): "the solution's text",
        }
    return {}


def _compared(
    submissions: Sequence[SubmittedFile], given: Mapping[str, dict[str, str]]
) -> Iterator[SubmittedFile]:
    """Note submissions that are an unchanged file of the lesson, or another learner's text."""
    alike: defaultdict[tuple[str, str], list[str]] = defaultdict(list)
    for submission in submissions:
        alike[submission.lesson, submission.source.strip()].append(submission.learner)
    for submission in submissions:
        text = submission.source.strip()
        others = sorted(
            {name for name in alike[submission.lesson, text] if name != submission.learner}
        )
        note = given[submission.lesson].get(text) or (
            f"the same text as {_some(others)}" if others else ""
        )
        yield replace(submission, notes=(*submission.notes, note) if note else submission.notes)


def _some(names: Sequence[str]) -> str:
    more = f" and {len(names) - 3} more" if len(names) > 3 else ""
    return ", ".join(names[:3]) + more


# ---------------------------------------------------------------- from submissions to grades


@dataclass(frozen=True)
class Candidate:
    """A submission that passed by what its own process reported, for a meter to confirm."""

    submission: SubmittedFile
    trial: Trial


def grade(
    checker: Checker,
    lesson: Lesson,
    submission: SubmittedFile,
    seed: int,
    cancel: Cancel,
    meter: Meter,
) -> Grade:
    """Grade one submission; if it cannot be graded, its grade says why."""
    made = attempt(checker, lesson, submission, seed, cancel, meter)
    return confirm(meter, [made])[0] if isinstance(made, Candidate) else made


def attempt(
    checker: Checker,
    lesson: Lesson,
    submission: SubmittedFile,
    seed: int,
    cancel: Cancel,
    meter: Meter,
) -> Grade | Candidate:
    """Run one submission, and grade it unless a meter has to confirm that it passed."""
    file = DESK / f"{lesson.folder.name}.py"
    try:
        tried = checker.run(lesson, submission.source, file, cancel, seed)
    except TutorError as error:
        return ungraded(submission, "not_graded", f"{error.message} {error.remedy}".strip())
    if tried is None:
        return ungraded(submission, "not_graded", "Interrupted.")
    if not isinstance(tried, Trial):
        return grade_of(submission, tried)
    try:
        verdict = checker.judge(tried)
    except Exception as error:  # noqa: BLE001 - a report can be anything; others are graded
        return _unjudged(submission, error)
    if meter.is_needed(tried, verdict):
        return Candidate(submission, tried)
    return grade_of(submission, verdict)


def _unjudged(submission: SubmittedFile, error: Exception) -> Grade:
    says = f"What its process reported could not be judged ({type(error).__name__}: {error})."
    return ungraded(submission, "not_graded", says)


def confirm(meter: Meter, candidates: Sequence[Candidate]) -> list[Grade]:
    """Grade submissions for one lesson by what a meter measured."""
    try:
        verdicts = meter.verdicts([it.trial for it in candidates])
    except TutorError as error:
        says = f"{error.message} {error.remedy}".strip()
        return [ungraded(it.submission, "not_graded", says) for it in candidates]
    except Exception as error:  # noqa: BLE001 - as above
        if len(candidates) > 1:
            return [grade for it in candidates for grade in confirm(meter, [it])]
        return [_unjudged(candidates[0].submission, error)]
    names = measured_checks(candidates[0].trial.reference)
    return [
        replace(grade_of(it.submission, verdict), measured_outside=names)
        for it, verdict in zip(candidates, verdicts, strict=True)
    ]


def grade_here(
    submissions: Sequence[SubmittedFile], course: Course, checker: Checker, jobs: int, seed: int = 0
) -> Generator[Grade, None, None]:
    """Grade submissions on this machine with `jobs` in parallel; yield each as it is done."""
    lessons = {lesson.slug: lesson for lesson in course.lessons}
    cancel = Cancel()
    meter = Meter(checker, cancel)
    pool = ThreadPoolExecutor(max_workers=jobs)
    batches = _Batches(Counter(it.lesson for it in submissions))
    waiting: set[Future[Any]] = {
        pool.submit(attempt, checker, lessons[it.lesson], it, seed, cancel, meter)
        for it in submissions
    }
    try:
        while waiting:
            done, waiting = wait(waiting, return_when=FIRST_COMPLETED)
            for future in done:
                made = future.result()
                if isinstance(made, list):
                    yield from made
                    continue
                if isinstance(made, Grade):
                    yield made
                for batch in batches.add(made):
                    waiting.add(pool.submit(confirm, meter, batch))
    finally:
        cancel()  # a consumer that stops early ends what is running
        pool.shutdown(cancel_futures=True)
        cancel.close()


class _Batches:
    """Collects what a meter has to confirm, by lesson: one meter serves several submissions."""

    def __init__(self, expected: Mapping[str, int]) -> None:
        self._expected = Counter(expected)
        self._open: defaultdict[str, list[Candidate]] = defaultdict(list)

    def add(self, made: Grade | Candidate) -> Iterator[list[Candidate]]:
        """Take the result of one submission; yield a batch that is full or the lesson's last."""
        lesson = made.lesson if isinstance(made, Grade) else made.submission.lesson
        self._expected[lesson] -= 1
        if isinstance(made, Candidate):
            self._open[lesson].append(made)
        batch = self._open[lesson]
        if batch and (len(batch) == MOST_SUBMISSIONS or not self._expected[lesson]):
            self._open[lesson] = []
            yield batch


def processors() -> int:
    """Return the number of CPUs that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0)) or 1
    return os.cpu_count() or 1
