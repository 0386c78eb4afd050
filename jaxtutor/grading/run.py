"""Grades submissions in parallel on this machine, with a meter that confirms those that passed."""

from __future__ import annotations

import os
from collections import Counter, defaultdict
from collections.abc import Generator, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from typing import Any

from msgspec.structs import replace

from jaxtutor.checks.lesson_check import Checker, Trial, syntax_verdict
from jaxtutor.content.course import Course
from jaxtutor.content.lesson import Lesson
from jaxtutor.core.grading.grades import Grade, SubmittedFile, grade_of, ungraded
from jaxtutor.core.judging.measured import measured_checks
from jaxtutor.errors import TutorError
from jaxtutor.grading.folder import seen_as
from jaxtutor.grading.meter import MOST_SUBMISSIONS, Meter
from jaxtutor.processes.watched_run import Cancel


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
    try:
        if submission.broken is not None:
            verdict = syntax_verdict(lesson, submission.broken, submission.source)
            return grade_of(submission, verdict)
        tried = checker.measure(lesson, submission.source, seen_as(lesson), cancel, seed)
        if tried is None:
            return ungraded(submission, "not_graded", "Interrupted.")
        verdict = checker.judge(tried)
        if meter.is_needed(tried, verdict):
            return Candidate(submission, tried)
        return grade_of(submission, verdict)
    except TutorError as error:
        return ungraded(submission, "not_graded", f"{error.message} {error.remedy}".strip())
    except Exception as error:  # noqa: BLE001 - a report can be anything; others are graded
        return _unjudged(submission, error)


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
