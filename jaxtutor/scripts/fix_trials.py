"""Tries fixes of a script: every proposed edit is run before it is shown, and most are rejected.

A fix is verified only if the run no longer fails and gives the results of the script without `jit`.
"""

from __future__ import annotations

import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, field
from functools import cached_property, partial
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec.structs import replace

from jaxtutor.core.data.diagnoses import Diagnosis, Fix
from jaxtutor.core.data.facts import ScriptFacts
from jaxtutor.core.diagnosis.editing.draft import reassigned
from jaxtutor.core.diagnosis.engine.candidates import CandidateQueue, EditedVersion
from jaxtutor.core.diagnosis.engine.diagnose import diagnose
from jaxtutor.core.diagnosis.engine.findings import find
from jaxtutor.core.diagnosis.engine.propose import Patch, propose, show_diff
from jaxtutor.core.judging.equivalence import Varying, agree, differ_in_numbers, varying
from jaxtutor.core.judging.evidence import functions_of
from jaxtutor.core.judging.outcomes import observations, pick
from jaxtutor.processes.runner import Runner
from jaxtutor.processes.spawn import Kind, for_trial
from jaxtutor.processes.watched_run import Cancel
from jaxtutor.scripts.trial_runs import RunEvidence, ScriptRun

if TYPE_CHECKING:
    from collections.abc import Mapping

    from jaxtutor.core.diagnosis.engine.pages import Cause
    from jaxtutor.core.diagnosis.engine.rules import Diagnosed
    from jaxtutor.scripts.script_diagnosis import ScriptDiagnosis

TRY_SECONDS = 20.0
"""Seconds. A run with an edit that takes longer is stopped, and the edit is not verified."""
ALL_TRIALS_SECONDS = 60.0
"""Seconds after which no further edit is tried."""

CERTAIN_SECONDS = 4.0
"""Seconds to wait for the results without jit of an edit that has no other meaning, and has run."""

Answer = Callable[[float | None], ScriptRun | None]
"""Returns the run whose results are right; None if it takes longer than so many seconds."""

IMPORTED_WITH_JAX = sys.stdlib_module_names | {"jax", "jaxlib", "ml_dtypes", "numpy", "opt_einsum"}

ENVIRONMENT = ("environ", "putenv", "dotenv")
"""Words in programs that set variables, of which jax reads some when it is imported."""


def fix_script(
    original: ScriptDiagnosis,
    runner: Runner,
    causes: Mapping[str, Cause],
    device: str | None,
) -> ScriptDiagnosis:
    """Return the diagnosis with fixes: for the exception, or for each finding.

    The learner's files stay as they are: each run reads the edited texts from memory.
    """
    kind = for_trial(device, is_forked=_may_fork(original))
    trials = _ScriptTrials(original, runner, causes, kind)
    if original.diagnosis is not None and original.failure is not None:
        fix = trials.fix_failure(original.diagnosed[0])
        return original.with_diagnosis(_with_fix(original.diagnosis, fix))
    fixed = tuple(_with_fix(it.diagnosis, trials.fix_finding(it)) for it in original.diagnosed)
    return original.with_findings(fixed)


def _may_fork(original: ScriptDiagnosis) -> bool:
    """Return whether a program behaves the same if jax is imported before it begins.

    It may not if it changes the environment, or has modules with the names of others that jax
    imports. The configuration of pytest may change the environment, too.
    """
    names = {Path(file).stem for file in original.sources}
    if original.program.kind == "module" or names & IMPORTED_WITH_JAX:
        return False
    return not any(word in text for text in original.sources.values() for word in ENVIRONMENT)


def _with_fix(diagnosis: Diagnosis, fix: Fix | None) -> Diagnosis:
    return diagnosis if fix is None else replace(diagnosis, fix=fix)


@dataclass
class _ScriptTrials:
    """Runs edited versions of a script."""

    original: ScriptDiagnosis
    runner: Runner
    causes: Mapping[str, Cause]
    kind: Kind
    _unedited: dict[bool, ScriptRun] = field(default_factory=dict)
    """The runs of the program as it is, with jit and without."""
    _begun: dict[bool, Future[ScriptRun]] = field(default_factory=dict)
    """Those that have not ended."""

    def fix_failure(self, diagnosed: Diagnosed) -> Fix | None:
        """Return the first edit with which the program runs and, if known, gives the right result.

        The right result is that of the program without jit, if it runs without it and has a result.
        If not, only an edit that leaves no other meaning is verified by a run.
        """
        edits = self._edits(diagnosed)
        first = next(edits, None)
        if first is None:
            return None
        with self._answer_beside() as answer:
            return self._first_right(chain((first,), edits), answer)

    def _first_right(self, edits: Iterator[Patch], answer: Answer) -> Fix | None:
        doubtful = None
        for version, run in self._working_versions(edits, answer):
            expected = answer(CERTAIN_SECONDS if version.certain else None)
            if expected is None or not expected.completed:
                return replace(self._fix(version.sources, version.certain), compared=False)
            vary = None
            if not self._same(expected, run, version.sources):
                vary = self._varying(expected)
                if vary is None or not self._same(expected, run, version.sources, vary):
                    continue
            proof = "right" if self.is_tested else self._evidence.judge(expected, run, vary)
            if proof == "right" and version.data_bound:
                doubtful = doubtful or replace(self._fix(version.sources, False), compared=False)
                continue
            if proof == "right":
                return self._fix(version.sources, True)
            fix = replace(self._fix(version.sources, version.certain), compared=False)
            if proof == "none":
                return fix
            doubtful = doubtful or replace(fix, verified=False)
        return doubtful

    def _varying(self, expected: ScriptRun) -> Varying | None:
        """Return what varies from run to run, found by another run without jit."""
        again = self._undisturbed
        if not again.completed or expected.facts is None or again.facts is None:
            return None
        return varying(expected.facts, again.facts, (expected.printed, again.printed))

    @cached_property
    def _evidence(self) -> RunEvidence:
        original = self.original
        assert original.failure is not None
        return RunEvidence(
            original.failure, original.sources, str(original.file), self._failed_text
        )

    def _failed_text(self) -> str:
        """Return what the program printed until it failed, which the first run may have shown."""
        if self.original.facts is not None:
            return self.original.stdout
        return self._run({}, watched=False).printed

    def _working_versions(
        self, edits: Iterator[Patch], answer: Answer
    ) -> Iterator[tuple[EditedVersion, ScriptRun]]:
        """Yield edited versions of the script that run to their end.

        A version that fails is itself diagnosed and edited: a script may contain the same mistake
        twice, or one mistake behind another.
        """
        until = time.monotonic() + ALL_TRIALS_SECONDS
        candidates = CandidateQueue()
        candidates.offer(edits, self.original.sources)
        while time.monotonic() < until and (candidate := candidates.take()) is not None:
            run = self._run(candidate.sources)
            if run.failed_at_file:
                answer(None)  # has ended when it returns
                run = self._run(candidate.sources)
            if run.completed:
                yield candidate, run
            elif run.failure is not None:
                found = diagnose(run.failure, candidate.sources, self.causes)
                further = self._edits(found)
                candidates.offer(further, candidate.sources, candidate)

    def _edits(self, diagnosed: Diagnosed | None) -> Iterator[Patch]:
        """Propose edits of the program and of the learner's other files that it imported."""
        proposed = propose(diagnosed) if diagnosed is not None else ()
        return (patch for patch in proposed if patch.file in self.original.sources)

    def fix_finding(self, diagnosed: Diagnosed) -> Fix | None:
        """Return the first edit with which the script runs and the finding is gone.

        It is verified if the results stay the same, or are those without jit where jit is what
        made them wrong, or if the edit leaves no other meaning. No other result is known to be
        right; of such an edit it is only said what changes.
        """
        edits = self._edits(diagnosed)
        first = next(edits, None)
        if first is None:
            return None
        with self._comparison_beside(diagnosed.diagnosis, first):
            return self._first_harmless(chain((first,), edits), diagnosed.diagnosis)

    def _first_harmless(self, edits: Iterator[Patch], finding: Diagnosis) -> Fix | None:
        present = Counter(other.cause for other in self.original.findings)
        for patch in edits:
            before = self.original.sources
            sources = {**before, patch.file: patch.apply(before[patch.file])}
            run = self._run(sources)
            if run.failed_at_file and self._begun:
                wait(self._begun.values())  # both may have used that file
                run = self._run(sources)
            if not run.completed:
                continue
            found = find(run.observed, sources, self.causes)
            left = Counter(other.diagnosis.cause for other in found)
            if left[finding.cause] >= present[finding.cause]:
                continue
            right = self._right_answer(finding)
            if right is not None and right.completed and right.has_answer:
                return self._fix(sources, self._same(right, run, sources))
            if left - present:  # it made another mistake
                return self._fix(sources, False)
            cause = self.causes.get(finding.cause or "")
            proof = cause.proof if cause is not None and not left[finding.cause] else ""
            if patch.certain:
                return replace(self._fix(sources, True), compared=False)
            only_numbers = self._only_numbers_change(run)
            fix = self._fix(sources, False)
            return replace(fix, only_numbers_change=only_numbers, proof=proof)
        return None

    def _only_numbers_change(self, run: ScriptRun) -> bool:
        """Return whether a run differs in numbers alone from that of the unchanged program."""
        before = self.unchanged
        if not before.completed or not before.has_answer or not before.facts or not run.facts:
            return False
        return differ_in_numbers(before.facts, run.facts, (before.printed, run.printed))

    def _right_answer(self, finding: Diagnosis) -> ScriptRun | None:
        """Return a run whose results are right in spite of a finding, if there is one."""
        if finding.costs:
            return self.unchanged
        return self.without_jit if finding.cause in RIGHT_WITHOUT_JIT else None

    @contextmanager
    def _answer_beside(self) -> Iterator[Answer]:
        """Run the program without jit beside the first edits; yield a function that gets the run.

        The function returns None if the run does not end within so many seconds.
        A run that fails at a file is repeated alone, as both may have used that file.
        """
        with _beside(self._run_untraced) as untraced:

            def answer(seconds: float | None) -> ScriptRun | None:
                with suppress(TimeoutError):
                    run = untraced.result(seconds)
                    return self._undisturbed if run.failed_at_file else run
                return None

            yield answer

    @contextmanager
    def _comparison_beside(self, finding: Diagnosis, edit: Patch) -> Iterator[None]:
        """Run what an edit for a finding will be compared with, if anything, beside the edit."""
        jit = finding.cause not in RIGHT_WITHOUT_JIT
        is_compared = finding.costs or not jit or not edit.certain
        is_known = jit in self._unedited or (jit and self.original.facts is not None)
        if is_known or not is_compared:
            yield
            return
        with _beside(partial(self._run, {}, jit, watched=False)) as run:
            self._begun[jit] = run
            try:
                yield
            finally:
                del self._begun[jit]

    @property
    def unchanged(self) -> ScriptRun:
        """The run of the unchanged program."""
        if self.original.facts is not None:
            return ScriptRun((), self.original.facts, self.original.stdout)
        return self._run_unedited(jit=True)

    @property
    def without_jit(self) -> ScriptRun:
        """The run of the unchanged program without jit."""
        return self._run_unedited(jit=False)

    def _run_unedited(self, jit: bool) -> ScriptRun:
        """Run the program as it is, unless it has run, or runs already."""
        if jit not in self._unedited and jit in self._begun:
            run = self._begun[jit].result()
            if not run.failed_at_file:
                self._unedited[jit] = run
        if jit not in self._unedited:
            self._unedited[jit] = self._run({}, jit, watched=False)
        return self._unedited[jit]

    def _run_untraced(self, cancel: Cancel | None = None) -> ScriptRun:
        """Run the program without jit; if JAX still traces what fails, also without vmap."""
        run = self._run({}, jit=False, cancel=cancel, watched=False)
        if run.failed_in_trace and any("vmap" in text for text in self.original.sources.values()):
            return self._run({}, jit=False, cancel=cancel, maps=False, watched=False)
        return run

    @cached_property
    def _undisturbed(self) -> ScriptRun:
        return self._run_untraced()

    def _run(
        self,
        sources: Mapping[str, str],
        jit: bool = True,
        cancel: Cancel | None = None,
        maps: bool = True,
        watched: bool = True,
    ) -> ScriptRun:
        """Run the program with these texts. A run whose results alone are wanted is not watched."""
        changed = self._changed(sources)
        keep = self.original.failure is not None
        request = self.original.program.request(
            changed, jit, maps, keep, self._failed_functions, watched=watched
        )
        outcome = self.runner.run(request, self.kind, TRY_SECONDS, cancel)
        printed = "".join(text for _, text in outcome.printed)
        return ScriptRun(
            observations(outcome), next(iter(pick(outcome, ScriptFacts)), None), printed
        )

    @cached_property
    def _failed_functions(self) -> dict[str, tuple[str, ...]]:
        """The functions through which the exception passed, by file: their variables may show
        whether an edit is right.
        """
        failure = self.original.failure
        return functions_of(failure, self.original.sources) if failure is not None else {}

    def _changed(self, sources: Mapping[str, str]) -> dict[str, str]:
        before = self.original.sources
        return {file: text for file, text in sources.items() if text != before.get(file)}

    def _fix(self, sources: Mapping[str, str], verified: bool) -> Fix:
        before, changed = self.original.sources, self._changed(sources)
        diffs = [show_diff(file, before[file], text) for file, text in changed.items()]
        return Fix("".join(diffs), verified, next(iter(changed.values()), ""), changed)

    @property
    def is_tested(self) -> bool:
        """Return whether tests of the program failed, which say what is right."""
        return any(item.test for item in self.original.caught)

    def _same(
        self,
        expected: ScriptRun,
        actual: ScriptRun,
        sources: Mapping[str, str],
        vary: Varying | None = None,
    ) -> bool:
        if expected.facts is None or actual.facts is None:
            return False
        if self.is_tested:  # its tests are its answer; what their runner prints varies
            return expected.completed and actual.completed
        before = self.original.sources
        pairs = ((before[file], text) for file, text in self._changed(sources).items())
        edited = {name for pair in pairs for name in reassigned(*pair)}
        prints = expected.printed, actual.printed
        return agree(expected.facts, actual.facts, prints, edited, vary)


@contextmanager
def _beside(run: Callable[[Cancel], ScriptRun]) -> Iterator[Future[ScriptRun]]:
    """Carry out a run beside those of the block, at whose end it is stopped."""
    with closing(Cancel()) as cancel, ThreadPoolExecutor(1) as pool:
        try:
            yield pool.submit(run, cancel)
        finally:
            cancel()


RIGHT_WITHOUT_JIT = frozenset({"stale-global", "mutated-static-self"})
"""Causes of wrong results that are right without jit, as the function then runs each time."""
