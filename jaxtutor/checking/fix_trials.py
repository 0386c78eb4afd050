"""Owns the trying of fixes: each proposed edit is run before it is shown, and most never are.

A fix is called verified only when the run no longer fails and gives what was asked for: in a lesson
the checks, in a script what the program gives without `jit`.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec.structs import replace

from jaxtutor.core.data.model import (
    Diagnosis,
    Failure,
    Fix,
    Outcome,
    ScriptFacts,
    ScriptRequest,
    Verdict,
)
from jaxtutor.core.diagnosis.candidates import CandidateQueue
from jaxtutor.core.diagnosis.diagnose import diagnose
from jaxtutor.core.diagnosis.findings import find
from jaxtutor.core.diagnosis.proposals import Patch, propose, show_diff
from jaxtutor.core.judging.equivalence import agree
from jaxtutor.core.judging.judge import observations, pick
from jaxtutor.processes.spawn import Kind

if TYPE_CHECKING:
    from collections.abc import Mapping

    from jaxtutor.checking.lesson_check import Checker
    from jaxtutor.checking.script_check import ScriptDiagnosis
    from jaxtutor.content.course import Lesson
    from jaxtutor.core.diagnosis.pages import Cause
    from jaxtutor.processes.runner import Cancel, Runner

TRY_SECONDS = 20.0
"""What a run with a fix may take; a program that takes longer gets no verified fix."""
PATIENCE_SECONDS = 60.0
"""When no further edit is tried."""


def make_fix(file: str, before: str, after: str, verified: bool) -> Fix:
    """Make a fix of edits that were tried."""
    return Fix(show_diff(file, before, after), verified, after)


# ---------------------------------------------------------------- scripts


def fix_script(
    made: ScriptDiagnosis,
    runner: Runner,
    causes: Mapping[str, Cause],
    arguments: tuple[str, ...],
    device: str | None,
) -> ScriptDiagnosis:
    """Return the diagnosis with a fix, for what was raised or for each finding."""
    trial = _ScriptTrial(made, runner, causes, arguments, Kind(device, memory=0))
    if made.diagnosis is not None and made.failure is not None:
        return made.with_diagnosis(_with_fix(made.diagnosis, trial.fix_failure()))
    fixed = tuple(_with_fix(finding, trial.fix_finding(finding)) for finding in made.findings)
    return made.with_findings(fixed)


def _with_fix(diagnosis: Diagnosis, fix: Fix | None) -> Diagnosis:
    return diagnosis if fix is None else replace(diagnosis, fix=fix)


@dataclass
class _ScriptRun:
    """One run of a script, captured."""

    outcome: Outcome
    facts: ScriptFacts | None

    @property
    def is_well(self) -> bool:
        """Tell whether it came to its end and raised nothing."""
        return self.facts is not None and self.facts.failure is None

    @property
    def prints(self) -> str:
        """What it printed."""
        return "".join(text for _, text in self.outcome.printed)


@dataclass
class _ScriptTrial:
    """Runs a script changed in one way and another."""

    made: ScriptDiagnosis
    runner: Runner
    causes: Mapping[str, Cause]
    arguments: tuple[str, ...]
    kind: Kind

    @property
    def file(self) -> str:
        return str(self.made.file)

    @property
    def source(self) -> str:
        return self.made.sources[self.file]

    def fix_failure(self) -> Fix | None:
        """Return the first edit with which the script runs and, where that can be told, is right.

        Its answers without jit are the measure, where it runs so.
        """
        for text, run in self._mended():
            if not self.without_jit.is_well:
                return self._fix(text, False)
            if self._same(self.without_jit, run):
                return self._fix(text, True)
        return None

    def _mended(self) -> Iterator[tuple[str, _ScriptRun]]:
        """Yield versions of the script that run to their end.

        A version that fails is diagnosed and edited in its turn: one script may have the same
        mistake twice, or one behind another.
        """
        until = time.monotonic() + PATIENCE_SECONDS
        attempts = CandidateQueue()
        first = self._edits(self.made.diagnosis, self.made.failure, self.made.sources)
        attempts.offer(first, self.made.sources)
        while time.monotonic() < until and (attempt := attempts.take()) is not None:
            run = self._run(attempt.sources[self.file])
            if run.is_well:
                yield attempt.sources[self.file], run
            elif run.facts is not None and run.facts.failure is not None:
                found = diagnose(run.facts.failure, attempt.sources, self.causes)
                edits = self._edits(found, run.facts.failure, attempt.sources)
                attempts.offer(edits, attempt.sources, attempt)

    def _edits(
        self, diagnosis: Diagnosis | None, failure: Failure | None, sources: Mapping[str, str]
    ) -> Iterator[Patch]:
        """Propose edits of the script itself: another file is not ours to change."""
        proposed = propose(diagnosis, failure, sources) if diagnosis is not None else ()
        return (patch for patch in proposed if patch.file == self.file)

    def fix_finding(self, finding: Diagnosis) -> Fix | None:
        """Return the first edit with which the script runs and the finding is gone.

        It is verified where the answers stay: whether another answer is right is not for us to say.
        """
        for patch in self._edits(finding, None, self.made.sources):
            text = patch.apply(self.source)
            run = self._run(text)
            if not run.is_well:
                continue
            left = find(observations(run.outcome), {self.file: text}, self.causes)
            if finding.cause not in [other.cause for other in left]:
                same = self._same(self.as_it_is, run)
                return self._fix(text, same and finding.cause in SAME_ANSWER)
        return None

    @cached_property
    def without_jit(self) -> _ScriptRun:
        """The script as it is, every operation by itself."""
        return self._run(self.source, jit=False)

    @cached_property
    def as_it_is(self) -> _ScriptRun:
        """The script as it is."""
        return self._run(self.source)

    def _run(self, source: str, jit: bool = True) -> _ScriptRun:
        request = ScriptRequest(self.file, source, self.arguments, jit)
        outcome = self.runner.run(request, self.kind, TRY_SECONDS)
        return _ScriptRun(outcome, next(iter(pick(outcome, ScriptFacts)), None))

    def _fix(self, text: str, verified: bool) -> Fix:
        return make_fix(self.file, self.source, text, verified)

    @staticmethod
    def _same(expected: _ScriptRun, actual: _ScriptRun) -> bool:
        if expected.facts is None or actual.facts is None:
            return False
        return agree(expected.facts, actual.facts, (expected.prints, actual.prints))


SAME_ANSWER = frozenset(
    {
        "new-callable-each-call",
        "static-arg-changes-each-call",
        "unrolled-loop",
        "large-intermediate",
    }
)
"""Causes that cost time or memory, not the right answer."""


# ---------------------------------------------------------------- lessons


def fix_submission(
    checker: Checker,
    lesson: Lesson,
    source: str,
    file: Path,
    verdict: Verdict,
    cancel: Cancel | None = None,
) -> tuple[Fix, Verdict] | None:
    """Return an edit after which the submission passes, or else one that gets it further.

    With it comes the verdict on the edited text. Cancelled, it returns what was found so far.
    """
    further: tuple[Fix, Verdict] | None = None
    for patch in _patches(verdict, source, file):
        text = patch.apply(source)
        again = checker.check(lesson, text, file, cancel)
        if again is None:
            return further
        if again.status == "passed":
            return make_fix(str(file), source, text, True), again
        if further is None and _passed(again) > _passed(verdict):
            further = make_fix(str(file), source, text, False), again
    return further


def _patches(verdict: Verdict, source: str, file: Path) -> Iterator[Patch]:
    made = (verdict.diagnosis,) if verdict.diagnosis else verdict.findings
    for diagnosis in made:
        yield from propose(diagnosis, verdict.failure, {str(file): source})


def _passed(verdict: Verdict) -> int:
    return sum(check.status == "passed" for check in verdict.checks)
