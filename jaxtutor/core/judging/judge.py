"""Owns the verdict: the facts of a submission set against those of the solution.

The same request is carried out for both, in two processes; what is judged here is plain data.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import zip_longest
from typing import TypeVar

from msgspec import Struct
from msgspec.structs import replace

from jaxtutor.core import vocabulary as words
from jaxtutor.core.data.model import (
    Broke,
    CaseFacts,
    CaseResult,
    CheckResult,
    Cost,
    Done,
    EagerFacts,
    Failure,
    LessonFault,
    Observation,
    ObservationFacts,
    Outcome,
    Peeked,
    PropertyFacts,
    Replaced,
    StageFacts,
    TraceFacts,
    Verdict,
    VerdictStatus,
)
from jaxtutor.core.judging.compare import Tolerance, compare, difference_text
from jaxtutor.core.judging.jaxprs import primitives
from jaxtutor.core.judging.properties import Problem, judge_property, leak_text

E = TypeVar("E")

TAMPERED = "The file stands on its own."
"""The sentence of the check that fails when a submission replaces or reads what it must not."""

STAGES = ("import", "function", "jaxpr", "jit", "values", "leaks")


class Criteria(Struct, frozen=True):
    """What the judge must know of the lesson."""

    slug: str
    function: str
    tolerance: Tolerance | None = None
    seconds: float = 10.0
    memory: int = 4096


def judge(asked: Criteria, outcome: Outcome, reference: Outcome) -> Verdict:
    """Judge a submission's outcome by the solution's."""
    fault = find_fault(asked, outcome, reference)
    if fault:
        return _verdict(asked, outcome, "lesson_at_fault", fault, ())
    return _Trial(asked, outcome, reference).verdict()


def find_fault(asked: Criteria, outcome: Outcome, reference: Outcome) -> str:
    """Say what is wrong with the lesson itself, if anything is."""
    for fault in (*pick(outcome, LessonFault), *pick(reference, LessonFault)):
        return fault.message
    if reference.end != "finished":
        return f"its solution {_END_WORDS[reference.end]} ({reference.end_detail})"
    failure = first_failure(reference)
    if failure:
        return f"its solution raised {failure.error_class}: {failure.message}"
    broken = [stage for stage in pick(reference, StageFacts) if stage.facts]
    if broken:
        return "its solution does not define the function that its checks call"
    contradiction = next(_contradictions(reference, asked.tolerance), "")
    return contradiction or _own_fault(asked, reference)


def _own_fault(asked: Criteria, reference: Outcome) -> str:
    """Hold the solution to the checks: what it does not keep can be asked of nobody."""
    verdict = _Trial(asked, reference, reference).verdict()
    failed = next((check for check in verdict.checks if check.status == "failed"), None)
    return f"its solution fails the check {failed.name}: {failed.detail}" if failed else ""


def _contradictions(reference: Outcome, tolerance: Tolerance | None) -> Iterator[str]:
    """Yield where the solution does not give what an example states."""
    for case in pick(reference, CaseFacts):
        if case.stated is not None and case.output is not None:
            # The answer's dtype, not that of the numbers on the page, says how close is close.
            difference = compare(case.output, case.stated, tolerance)
            if difference:
                yield f"its solution contradicts the example {case.inputs}: {difference.says}"


def pick(outcome: Outcome, kind: type[E]) -> tuple[E, ...]:
    """Return the facts of one kind, in the order in which they came."""
    return tuple(event for event in outcome.events if isinstance(event, kind))


def observations(outcome: Outcome) -> tuple[Observation, ...]:
    """Return what was seen while the program ran, leaks under each transformation too."""
    seen = [facts.observation for facts in pick(outcome, ObservationFacts)]
    for facts in pick(outcome, PropertyFacts):
        seen += [Observation("leak", leak.created, {}, leak) for leak in facts.leaks]
    return tuple(seen)


def first_failure(outcome: Outcome) -> Failure | None:
    """Return the first failure among all facts."""
    for event in outcome.events:
        failure = getattr(event, "failure", None)
        if failure is not None:
            return failure  # type: ignore[no-any-return]
    return None


_END_WORDS = {
    "finished": "finished",
    "timed_out": "did not end in time",
    "crashed": "ended its process",
    "out_of_memory": "asked for too much memory",
    "cancelled": "was cancelled",
}


class _Trial:
    """Goes through the checks in order; after the first that fails, the rest are skipped."""

    def __init__(self, asked: Criteria, outcome: Outcome, reference: Outcome) -> None:
        self.asked = asked
        self.outcome = outcome
        self.reference = reference
        self.stages = {stage.name: stage for stage in pick(outcome, StageFacts)}
        self.foul = _find_foul(outcome)
        self.failure: Failure | None = None
        self.cases = tuple(self._judge_cases())
        self.broken = False

    def verdict(self) -> Verdict:
        checks = tuple(self._checks())
        status = self._status(checks)
        failed = next((check for check in checks if check.status == "failed"), None)
        headline = _headline(self.asked, self.outcome, status, failed, self.failure)
        verdict = _verdict(self.asked, self.outcome, status, headline, checks)
        return _with_results(verdict, self.outcome, self.reference, self.cases, self.failure)

    def _status(self, checks: tuple[CheckResult, ...]) -> VerdictStatus:
        if self.failure is not None:
            return "raised"
        if self.foul:
            return "failed"
        if any(check.status == "failed" for check in checks):
            end = self.outcome.end
            if end == "timed_out":
                return "timed_out"
            return "crashed" if end in ("crashed", "out_of_memory") else "failed"
        return "passed"

    def _checks(self) -> Iterator[CheckResult]:
        reference_stages = {stage.name for stage in pick(self.reference, StageFacts)}
        for name in STAGES:
            if name in reference_stages:
                yield self._check_stage(name)
        ours = pick(self.outcome, PropertyFacts)  # by place: two may have one name
        for mine, theirs in zip_longest(ours, pick(self.reference, PropertyFacts)):
            if theirs is not None:
                yield self._check_property(mine, theirs)

    def _check_stage(self, name: str) -> CheckResult:
        says = _stage_says(name, self.asked.function, self._jits())
        stage = self.stages.get(name)
        if self.broken:
            return CheckResult(name, says, "skipped")
        if name == "import" and self.foul:
            return self._fail(name, _SAYS["foul"], 0.0, Problem(self.foul))
        if stage is None:
            return self._fail(name, says, 0.0, Problem(_end_text(self.asked, self.outcome)))
        if name == "jaxpr" and _calls_python(self.outcome) and not _calls_python(self.reference):
            return self._fail(name, _SAYS["host"], stage.seconds, Problem(_HOST_TEXT))
        problem = self._stage_problem(name, stage)
        if problem:
            return self._fail(name, says, stage.seconds, problem)
        return CheckResult(name, says, "passed", stage.seconds)

    def _jits(self) -> bool:
        return any(stage.name == "jaxpr" for stage in pick(self.reference, StageFacts))

    def _stage_problem(self, name: str, stage: StageFacts) -> Problem | None:
        if stage.failure is not None:
            self.failure = stage.failure
            return Problem(raised_text(stage.failure))
        if name == "function" and stage.facts:
            return Problem(_function_problem(stage.facts))
        if name == "values":
            wrong = [case for case in self.cases if not case.passed]
            return Problem(_wrong_text(wrong[0], self.cases), wrong[0]) if wrong else None
        if name == "leaks":
            leaks = [facts.observation.leak for facts in pick(self.outcome, ObservationFacts)]
            return next((Problem(leak_text(leak)) for leak in leaks if leak is not None), None)
        return None

    def _check_property(self, ours: PropertyFacts | None, theirs: PropertyFacts) -> CheckResult:
        name, says = theirs.property.name, theirs.property.says or _says(theirs.property)
        if self.broken:
            return CheckResult(name, says, "skipped")
        if ours is None:
            return self._fail(name, says, 0.0, Problem(_end_text(self.asked, self.outcome)))
        if ours.failure is not None:
            self.failure = ours.failure
            return self._fail(name, says, ours.seconds, Problem(raised_text(ours.failure)))
        problem = judge_property(ours, theirs, self.asked.tolerance)
        if problem:
            return self._fail(name, says, ours.seconds, problem)
        return CheckResult(name, says, "passed", ours.seconds)

    def _fail(self, name: str, says: str, seconds: float, problem: Problem) -> CheckResult:
        self.broken = True
        return CheckResult(name, says, "failed", seconds, problem.says, problem.case)

    def _judge_cases(self) -> Iterator[CaseResult]:
        pairs = zip(pick(self.outcome, CaseFacts), pick(self.reference, CaseFacts), strict=False)
        for ours, theirs in pairs:
            yield judge_case(ours, theirs, self.asked.tolerance)


def judge_case(ours: CaseFacts, theirs: CaseFacts, tolerance: Tolerance | None) -> CaseResult:
    """Judge one call by the solution's answer to it."""
    if ours.output is None or theirs.output is None:
        says = raised_text(ours.failure) if ours.failure else "no answer came"
        return CaseResult(ours.inputs, theirs.output, None, False, ours.visible, says)
    difference = compare(theirs.output, ours.output, tolerance)
    return CaseResult(
        ours.inputs,
        theirs.output,
        ours.output,
        difference is None,
        ours.visible,
        difference_text(difference) if difference else "",
        difference,
    )


# ---------------------------------------------------------------- words


_SAYS = {
    "import": "The file runs.",
    "foul": TAMPERED,
    "jaxpr": "jax.make_jaxpr can trace it.",
    "host": "It computes with JAX, not in Python on the host.",
    "values": "The answers are right.",
    "leaks": "No tracer is left behind.",
    "traces-once": "It is traced once for calls alike.",
    "gradient": "Its gradient is right.",
    "vmap": "Under jax.vmap it gives what a loop gives.",
    "dtype": "The answer's shape and dtype are right.",
    "equations": "The jaxpr does not grow with the input.",
    "primitive": "The jaxpr uses the primitive asked for.",
    "no-primitive": "The jaxpr avoids what is not asked for.",
    "memory": "No intermediate is larger than need be.",
    "constants": "No large array is captured as a constant.",
    "finite": "The answer is finite.",
    "keys": "No random key is used twice.",
    "sharding": "The answer lies on the devices as asked.",
}


def _stage_says(name: str, function: str, jits: bool) -> str:
    if name == "function":
        return f"{function} is there and takes the arguments."
    if name == "jit":
        return "It runs under jax.jit." if jits else "It runs."
    return _SAYS[name]


def _says(wanted: words.Property) -> str:
    return _SAYS.get(wanted.name, wanted.name)


def _wrong_text(case: CaseResult, cases: tuple[CaseResult, ...]) -> str:
    count = sum(not other.passed for other in cases)
    several = (
        f"{count} of {len(cases)} calls get a wrong answer; the first is for"
        if count > 1
        else "for"
    )
    return f"{several} {case.inputs}: {case.problem}"


def _function_problem(facts: dict[str, str]) -> str:
    if "missing" in facts:
        defined = facts["defined"].split()
        there = f"; the file defines {', '.join(f'`{it}`' for it in defined)}" if defined else ""
        return f"`{facts['missing']}` is not there{there}"
    if "uncallable" in facts:
        return f"`{facts['made_by']}` gives {facts['uncallable']}, which cannot be called"
    return f"`{facts['signature']}` does not take the arguments: {facts['arity']}"


def _find_foul(outcome: Outcome) -> str:
    """Say why nothing that was measured shows what the submission itself can do, if so."""
    if pick(outcome, Peeked):
        return "it opens the lesson's solution, so that what it answers need not be its own"
    names = [name for event in pick(outcome, Replaced) for name in event.names]
    return _replaced_text(names) if names else ""


_HOST_TEXT = (
    "it calls Python on the host through jax.pure_callback, which JAX cannot compile, batch or "
    "differentiate; compute it with JAX's own operations"
)


def _calls_python(outcome: Outcome) -> bool:
    """Return whether what was traced computes in Python on the host."""
    return any("pure_callback" in primitives(it.jaxpr) for it in pick(outcome, TraceFacts))


def _replaced_text(names: list[str]) -> str:
    plain_first = sorted(names, key=lambda name: "__" in name)
    told = [f"`{name}`" for name in plain_first[:3]]
    told += [f"{len(names) - 3} names more"] if len(names) > 3 else []
    which = told[0] if len(told) == 1 else f"{', '.join(told[:-1])} and {told[-1]}"
    leave = "leave it as it is" if len(names) == 1 else "leave them as they are"
    return f"it replaces {which}, on which JAX and this check rely: {leave}"


def raised_text(failure: Failure) -> str:
    """Say what was raised, in one line."""
    first = failure.message.partition("\n")[0]
    return f"{failure.error_class}: {first}" if first else failure.error_class


def _end_text(asked: Criteria, outcome: Outcome) -> str:
    for broke in pick(outcome, Broke):
        return f"the check could not go on: {broke.says}"
    match outcome.end:
        case "timed_out":
            return f"it was still running after {asked.seconds:g} s"
        case "out_of_memory":
            return f"it asked for more than {asked.memory} MiB of memory"
        case "crashed":
            return f"its process ended: {outcome.end_detail}"
    return "it did not get that far"


def _headline(
    asked: Criteria,
    outcome: Outcome,
    status: VerdictStatus,
    failed: CheckResult | None,
    failure: Failure | None,
) -> str:
    if failure is not None:
        return f"{failure.error_class} was raised"
    if failed is None:
        return "passed"
    if outcome.end != "finished" and status in ("timed_out", "crashed"):
        return _end_text(asked, outcome)
    return failed.detail or failed.says


# ---------------------------------------------------------------- assembly


def _verdict(
    asked: Criteria,
    outcome: Outcome,
    status: VerdictStatus,
    headline: str,
    checks: tuple[CheckResult, ...],
) -> Verdict:
    machine = outcome.machine
    return Verdict(
        status=status,
        lesson=asked.slug,
        headline=headline,
        checks=checks,
        seconds=outcome.seconds,
        device=outcome.device,
        jax_version=machine.jax if machine else "",
        stdout=shown_prints(outcome),
        stderr=outcome.stderr,
    )


def _with_results(
    verdict: Verdict,
    outcome: Outcome,
    reference: Outcome,
    cases: tuple[CaseResult, ...],
    failure: Failure | None,
) -> Verdict:
    return replace(
        verdict,
        cases=cases,
        failure=failure,
        jaxpr=next((facts.jaxpr for facts in pick(outcome, TraceFacts)), None),
        reference_jaxpr=next((facts.jaxpr for facts in pick(reference, TraceFacts)), None),
        works_without_jit=any(facts.works for facts in pick(outcome, EagerFacts)),
        cost=next(iter(pick(outcome, Cost)), None),
        reference_cost=next(iter(pick(reference, Cost)), None),
    )


def shown_prints(outcome: Outcome) -> str:
    """Return the prints a learner expects: of the import, and of one compiled call.

    Tracing alone prints too; it is shown where no call came after it.
    """
    printed: dict[str, str] = {}
    for stage, text in outcome.printed:
        printed[stage] = printed.get(stage, "") + text
    called = printed.get("jit", "") or printed.get("jaxpr", "")
    return printed.get("import", "") + called


def own_seconds(outcome: Outcome) -> float:
    """Return the submission's own time, or what passed until it was ended."""
    return next((done.seconds for done in pick(outcome, Done)), outcome.seconds)
