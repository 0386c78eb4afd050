"""Has the programs of submissions run by a meter, a worker that never runs a submission.

A submission runs in the process that measures it, and can report what it likes. What it reports is
therefore checked, where its lesson allows it: a meter runs the programs that the submission was
compiled to, on the same calls and on others that no submission could know.
"""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from jaxtutor.checks.lesson_check import Checker, Trial
from jaxtutor.core.data.facts import LessonFault, Measured, Outcome, SubmissionDone
from jaxtutor.core.data.programs import ExportedPrograms
from jaxtutor.core.data.requests import MeterRequest
from jaxtutor.core.data.verdicts import Verdict
from jaxtutor.core.judging.measured import (
    exported_programs,
    measured_checks,
    with_fresh,
    with_measured,
)
from jaxtutor.core.judging.outcomes import end_words, pick
from jaxtutor.errors import TutorError
from jaxtutor.processes.environment import refuse_environment
from jaxtutor.processes.watched_run import Cancel

MOST_SUBMISSIONS = 16
"""Submissions that one meter serves: it takes half a second to start, and ends with the first
program that does not."""

BATCH_FACTOR = 3.0
"""Time limit of a meter with several submissions, as a multiple of the lesson's. Those that it did
not get to are measured one by one."""

SINGLE_FACTOR = 2.0
"""Time limit of a meter with one submission, as a multiple of the lesson's."""


@dataclass(frozen=True)
class Meter:
    """Measures the programs of submissions. `fresh_seed` is never sent to a submission."""

    checker: Checker
    cancel: Cancel | None = None
    fresh_seed: int = field(default_factory=lambda: secrets.randbits(62))

    def is_needed(self, trial: Trial, verdict: Verdict) -> bool:
        """Return whether a submission passed by its own report, and can be measured."""
        return verdict.status == "passed" and bool(measured_checks(trial.reference))

    def verdicts(self, trials: Sequence[Trial]) -> list[Verdict]:
        """Return the verdicts on submissions for one lesson, from what a meter measured.

        Raises TutorError if the environment is at fault.
        """
        metered = self._measure(trials, BATCH_FACTOR)
        merged = []
        for number, trial in enumerate(trials, 1):
            if _is_done(metered, number) or len(trials) == 1:
                merged.append(_merge(trial, metered, number))
            else:  # a program before it, or its own, ended the meter
                merged.append(_merge(trial, self._measure([trial], SINGLE_FACTOR), 1))
        return [self.checker.judge(trial) for trial in merged]

    def _measure(self, trials: Sequence[Trial], factor: float) -> Outcome:
        """Run a meter on the programs of submissions for one lesson, after those of the solution.

        Raises TutorError if the environment or the lesson is at fault.
        """
        first = trials[0]
        lesson = first.lesson
        submissions = [first.reference, *(trial.outcome for trial in trials)]
        request = MeterRequest(
            str(lesson.folder),
            lesson.info.function,
            first.seed,
            self.fresh_seed,
            tuple(exported_programs(it) or ExportedPrograms() for it in submissions),
        )
        seconds = lesson.info.needs.seconds * factor
        outcome = self.checker.runner.run(request, self.checker.kind(lesson), seconds, self.cancel)
        refuse_environment(outcome)
        for fault in pick(outcome, LessonFault):
            raise TutorError(f"{lesson.slug} could not be measured: {fault.message}")
        return outcome


def _merge(trial: Trial, metered: Outcome, number: int) -> Trial:
    """Return a trial with what the meter measured of its submission, by number in the request."""
    facts = pick(metered, Measured)
    return replace(
        trial,
        outcome=with_measured(
            trial.outcome,
            trial.reference,
            [it for it in facts if it.submission == number],
            trial.lesson.info.tolerance,
            "" if _is_done(metered, number) else f"the process that ran it {end_words(metered)}",
        ),
        reference=with_fresh(trial.reference, [it for it in facts if it.submission == 0]),
    )


def _is_done(metered: Outcome, number: int) -> bool:
    return any(it.submission == number for it in pick(metered, SubmissionDone))
