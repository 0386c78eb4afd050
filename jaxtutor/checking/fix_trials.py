"""Tries fixes: every proposed edit is run before it is shown, and most are rejected.

A fix is verified only if the run no longer fails and gives the expected result: in a lesson the
checks pass, in a script the results are those of the program without `jit`.
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
from jaxtutor.core.diagnosis.candidates import CandidateQueue, EditedVersion
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
"""Seconds. A run with an edit that takes longer is stopped, and the edit is not verified."""
ALL_TRIALS_SECONDS = 60.0
"""Seconds after which no further edit is tried."""


def make_fix(file: str, before: str, after: str, verified: bool) -> Fix:
    """Create a fix from an edit that was tried."""
    return Fix(show_diff(file, before, after), verified, after)


# ---------------------------------------------------------------- scripts


def fix_script(
    original: ScriptDiagnosis,
    runner: Runner,
    causes: Mapping[str, Cause],
    arguments: tuple[str, ...],
    device: str | None,
) -> ScriptDiagnosis:
    """Return the diagnosis with fixes: for the exception, or for each finding."""
    trials = _ScriptTrials(original, runner, causes, arguments, Kind(device, memory=0))
    if original.diagnosis is not None and original.failure is not None:
        return original.with_diagnosis(_with_fix(original.diagnosis, trials.fix_failure()))
    fixed = tuple(_with_fix(finding, trials.fix_finding(finding)) for finding in original.findings)
    return original.with_findings(fixed)


def _with_fix(diagnosis: Diagnosis, fix: Fix | None) -> Diagnosis:
    return diagnosis if fix is None else replace(diagnosis, fix=fix)


@dataclass
class _ScriptRun:
    """One captured run of a script."""

    outcome: Outcome
    facts: ScriptFacts | None

    @property
    def completed(self) -> bool:
        """Return whether the script ran to its end without an exception."""
        return self.facts is not None and self.facts.failure is None

    @property
    def printed(self) -> str:
        """What the script printed."""
        return "".join(text for _, text in self.outcome.printed)


@dataclass
class _ScriptTrials:
    """Runs edited versions of a script."""

    original: ScriptDiagnosis
    runner: Runner
    causes: Mapping[str, Cause]
    arguments: tuple[str, ...]
    kind: Kind

    @property
    def file(self) -> str:
        return str(self.original.file)

    @property
    def source(self) -> str:
        return self.original.sources[self.file]

    def fix_failure(self) -> Fix | None:
        """Return the first edit with which the script runs and, if known, gives the right result.

        The right result is that of the script without jit, if the script runs without it. If not,
        only an edit that leaves no other meaning is verified by a run.
        """
        for version, run in self._working_versions():
            text = version.sources[self.file]
            if not self.without_jit.completed:
                return self._fix(text, version.certain)
            if self._same(self.without_jit, run):
                return self._fix(text, True)
        return None

    def _working_versions(self) -> Iterator[tuple[EditedVersion, _ScriptRun]]:
        """Yield edited versions of the script that run to their end.

        A version that fails is itself diagnosed and edited: a script may contain the same mistake
        twice, or one mistake behind another.
        """
        until = time.monotonic() + ALL_TRIALS_SECONDS
        candidates = CandidateQueue()
        first = self._edits(self.original.diagnosis, self.original.failure, self.original.sources)
        candidates.offer(first, self.original.sources)
        while time.monotonic() < until and (candidate := candidates.take()) is not None:
            run = self._run(candidate.sources[self.file])
            if run.completed:
                yield candidate, run
            elif run.facts is not None and run.facts.failure is not None:
                found = diagnose(run.facts.failure, candidate.sources, self.causes)
                edits = self._edits(found, run.facts.failure, candidate.sources)
                candidates.offer(edits, candidate.sources, candidate)

    def _edits(
        self, diagnosis: Diagnosis | None, failure: Failure | None, sources: Mapping[str, str]
    ) -> Iterator[Patch]:
        """Propose edits of the script itself; other files are never changed."""
        proposed = propose(diagnosis, failure, sources) if diagnosis is not None else ()
        return (patch for patch in proposed if patch.file == self.file)

    def fix_finding(self, finding: Diagnosis) -> Fix | None:
        """Return the first edit with which the script runs and the finding is gone.

        It is verified if the results stay the same; no other result is known to be right.
        """
        for patch in self._edits(finding, None, self.original.sources):
            text = patch.apply(self.source)
            run = self._run(text)
            if not run.completed:
                continue
            left = find(observations(run.outcome), {self.file: text}, self.causes)
            if finding.cause not in [other.cause for other in left]:
                same = self._same(self.unchanged, run)
                return self._fix(text, same and finding.cause in SAME_ANSWER)
        return None

    @cached_property
    def without_jit(self) -> _ScriptRun:
        """The run of the unchanged script with jit disabled."""
        return self._run(self.source, jit=False)

    @cached_property
    def unchanged(self) -> _ScriptRun:
        """The run of the unchanged script."""
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
        return agree(expected.facts, actual.facts, (expected.printed, actual.printed))


SAME_ANSWER = frozenset(
    {
        "new-callable-each-call",
        "static-arg-changes-each-call",
        "unrolled-loop",
        "large-intermediate",
    }
)
"""Causes that cost time or memory, but do not change results."""


# ---------------------------------------------------------------- lessons


def fix_submission(
    checker: Checker,
    lesson: Lesson,
    source: str,
    file: Path,
    verdict: Verdict,
    cancel: Cancel | None = None,
) -> tuple[Fix, Verdict] | None:
    """Return an edit with which the submission passes, otherwise one with which more checks pass.

    The verdict on the edited text comes with it. If cancelled, return what was found so far.
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
    found = (verdict.diagnosis,) if verdict.diagnosis else verdict.findings
    for diagnosis in found:
        yield from propose(diagnosis, verdict.failure, {str(file): source})


def _passed(verdict: Verdict) -> int:
    return sum(check.status == "passed" for check in verdict.checks)
