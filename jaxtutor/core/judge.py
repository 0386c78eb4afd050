"""Owns the verdict: the facts of a submission set against those of the solution.

The same request is carried out for both, in two processes; what is judged here is plain data.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeVar

from msgspec import Struct
from msgspec.structs import replace

from jaxtutor.core import vocabulary as words
from jaxtutor.core.compare import (
    Difference,
    Tolerance,
    compare,
    compare_types,
    find_non_finite,
)
from jaxtutor.core.model import (
    CaseFacts,
    CaseResult,
    CheckResult,
    Cost,
    Done,
    EagerFacts,
    Failure,
    Leak,
    LessonFault,
    ObservationFacts,
    Outcome,
    PropertyFacts,
    StageFacts,
    TraceFacts,
    Verdict,
    VerdictStatus,
)

E = TypeVar("E")

STAGES = ("import", "function", "jaxpr", "jit", "values", "leaks")


class Asked(Struct, frozen=True):
    """What the judge must know of the lesson."""

    slug: str
    function: str
    tolerance: Tolerance | None = None
    seconds: float = 10.0
    memory: int = 4096


def judge(asked: Asked, outcome: Outcome, reference: Outcome) -> Verdict:
    """Judge a submission's outcome by the solution's."""
    fault = find_fault(outcome, reference, asked.tolerance)
    if fault:
        return _verdict(asked, outcome, "lesson_at_fault", fault, ())
    return _Trial(asked, outcome, reference).verdict()


def find_fault(outcome: Outcome, reference: Outcome, tolerance: Tolerance | None) -> str:
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
    return next(_contradictions(reference, tolerance), "")


def _contradictions(reference: Outcome, tolerance: Tolerance | None) -> Iterator[str]:
    """Yield where the solution does not give what an example states."""
    for case in pick(reference, CaseFacts):
        if case.stated is not None and case.output is not None:
            difference = compare(case.stated, case.output, tolerance)
            if difference:
                yield f"its solution contradicts the example {case.inputs}: {difference.says}"


def pick(outcome: Outcome, kind: type[E]) -> tuple[E, ...]:
    """Return the facts of one kind, in the order in which they came."""
    return tuple(event for event in outcome.events if isinstance(event, kind))


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
    """Goes through the checks in order; after the first that does not pass, the rest are skipped."""

    def __init__(self, asked: Asked, outcome: Outcome, reference: Outcome) -> None:
        self.asked = asked
        self.outcome = outcome
        self.reference = reference
        self.stages = {stage.name: stage for stage in pick(outcome, StageFacts)}
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
        ours = {facts.property.name: facts for facts in pick(self.outcome, PropertyFacts)}
        for theirs in pick(self.reference, PropertyFacts):
            yield self._check_property(ours.get(theirs.property.name), theirs)

    def _check_stage(self, name: str) -> CheckResult:
        says = _stage_says(name, self.asked.function, self._jits())
        stage = self.stages.get(name)
        if self.broken:
            return CheckResult(name, says, "skipped")
        if stage is None:
            return self._fail(name, says, 0.0, _end_text(self.asked, self.outcome))
        problem = self._stage_problem(name, stage)
        if problem:
            return self._fail(name, says, stage.seconds, problem)
        return CheckResult(name, says, "passed", stage.seconds)

    def _jits(self) -> bool:
        return any(stage.name == "jaxpr" for stage in pick(self.reference, StageFacts))

    def _stage_problem(self, name: str, stage: StageFacts) -> str:
        if stage.failure is not None:
            self.failure = stage.failure
            return raised_text(stage.failure)
        if name == "function" and stage.facts:
            return _function_problem(stage.facts)
        if name == "values":
            return next((_case_text(case) for case in self.cases if not case.passed), "")
        if name == "leaks":
            leaks = [facts.observation.leak for facts in pick(self.outcome, ObservationFacts)]
            return next((leak_text(leak) for leak in leaks if leak is not None), "")
        return ""

    def _check_property(self, ours: PropertyFacts | None, theirs: PropertyFacts) -> CheckResult:
        name, says = theirs.property.name, theirs.property.says or _says(theirs.property)
        if self.broken:
            return CheckResult(name, says, "skipped")
        if ours is None:
            return self._fail(name, says, 0.0, _end_text(self.asked, self.outcome))
        if ours.failure is not None:
            self.failure = ours.failure
            return self._fail(name, says, ours.seconds, raised_text(ours.failure))
        problem = judge_property(ours, theirs, self.asked.tolerance)
        if problem:
            return self._fail(name, says, ours.seconds, problem)
        return CheckResult(name, says, "passed", ours.seconds)

    def _fail(self, name: str, says: str, seconds: float, detail: str) -> CheckResult:
        self.broken = True
        return CheckResult(name, says, "failed", seconds, detail)

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
    says = _difference_text(difference) if difference else ""
    return CaseResult(
        ours.inputs, theirs.output, ours.output, difference is None, ours.visible, says
    )


def _case_text(case: CaseResult) -> str:
    return f"for {case.inputs}: {case.problem}"


def _difference_text(difference: Difference) -> str:
    return f"at {difference.path}: {difference.says}" if difference.path else difference.says


# ---------------------------------------------------------------- properties


def judge_property(ours: PropertyFacts, theirs: PropertyFacts, tolerance: Tolerance | None) -> str:
    """Return what is wrong with one property, or nothing."""
    match theirs.property:
        case words.Traces(times=times):
            return _judge_traces(ours.counts, times)
        case words.NoLeak():
            return next(map(leak_text, ours.leaks), "")
        case words.Gradient(finite=finite):
            return _judge_trees(ours, theirs, tolerance, "the gradient", finite)
        case words.Vmap():
            return _judge_trees(ours, theirs, tolerance, "the batched answer", False)
        case words.Types():
            return _judge_types(ours, theirs)
        case words.SameSize(factor=factor):
            return _judge_growth(ours.counts, factor)
        case words.Uses(primitives=asked):
            return "" if set(asked) & set(ours.names) else _not_used(asked, ours.names)
        case words.Avoids(primitives=banned):
            return ", ".join(f"the jaxpr holds {name}" for name in banned if name in ours.names)
        case words.LargestIntermediate(at_most=most) | words.NoConstants(at_most=most):
            largest = ours.counts["largest"]
            return "" if largest <= most else f"one has {largest:,} elements; {most:,} are enough"
        case words.Finite():
            return _judge_finite(ours)
        case words.KeysOnce():
            return ""  # the reuse of a key raises, and has been judged as a failure
        case words.Sharded():
            return _judge_names(ours.names, theirs.names)
        case words.Custom():
            return ours.problem


def _judge_traces(counts: dict[str, int], times: int) -> str:
    seen, calls = counts["traces"], counts["calls"]
    if seen == times:
        return ""
    return f"it was traced {_times(seen)} over {calls} calls; asked for is {_times(times)}"


def _times(count: int) -> str:
    return {1: "once", 2: "twice"}.get(count, f"{count} times")


def _judge_trees(
    ours: PropertyFacts,
    theirs: PropertyFacts,
    tolerance: Tolerance | None,
    what: str,
    finite: bool,
) -> str:
    for inputs, expected, actual in zip(ours.inputs, theirs.trees, ours.trees, strict=True):
        difference = (find_non_finite(actual) if finite else None) or compare(
            expected, actual, tolerance
        )
        difference = difference or compare_types(expected, actual)
        if difference:
            return f"{what} for {inputs}: {_difference_text(difference)}"
    return ""


def _judge_types(ours: PropertyFacts, theirs: PropertyFacts) -> str:
    for inputs, expected, actual in zip(ours.inputs, theirs.trees, ours.trees, strict=True):
        difference = compare_types(expected, actual)
        if difference:
            return f"the answer for {inputs}: {_difference_text(difference)}"
    return ""


def _judge_growth(counts: dict[str, int], factor: float) -> str:
    items = [(key.partition(":")[2], count) for key, count in counts.items()]
    (small, few), (large, many) = items[0], items[-1]
    if many <= few * factor:
        return ""
    return f"{few} equations for {small}, {many} for {large}"


def _not_used(asked: tuple[str, ...], names: tuple[str, ...]) -> str:
    return f"the jaxpr holds no {' or '.join(asked)}; it holds {', '.join(names) or 'nothing'}"


def _judge_finite(ours: PropertyFacts) -> str:
    per_call = len(ours.trees) // max(len(ours.inputs), 1)
    for index, tree in enumerate(ours.trees):
        difference = find_non_finite(tree)
        if difference:
            what = "the gradient" if index % per_call else "the answer"
            inputs = ours.inputs[index // per_call]
            return f"{what} for {inputs}: {_difference_text(difference)}"
    return ""


def _judge_names(ours: tuple[str, ...], theirs: tuple[str, ...]) -> str:
    pairs = zip(theirs, ours, strict=False)
    return next((f"it lies {got}, asked for is {want}" for want, got in pairs if want != got), "")


# ---------------------------------------------------------------- words


_SAYS = {
    "import": "The file runs.",
    "jaxpr": "jax.make_jaxpr can trace it.",
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


def _function_problem(facts: dict[str, str]) -> str:
    if "missing" in facts:
        defined = facts["defined"].split()
        there = f"; the file defines {', '.join(defined)}" if defined else ""
        return f"{facts['missing']} is not there{there}"
    return f"{facts['signature']} does not take the arguments: {facts['arity']}"


def raised_text(failure: Failure) -> str:
    """Say what was raised, in one line."""
    first = failure.message.partition("\n")[0]
    return f"{failure.error_class}: {first}" if first else failure.error_class


def leak_text(leak: Leak) -> str:
    """Say what outlived its trace, in one line."""
    held = f" in {leak.path}" if leak.path else ""
    return f"a tracer of type {leak.aval} outlived the call{held}"


def _end_text(asked: Asked, outcome: Outcome) -> str:
    match outcome.end:
        case "timed_out":
            return f"it was still running after {asked.seconds:g} s"
        case "out_of_memory":
            return f"it asked for more than {asked.memory} MiB of memory"
        case "crashed":
            return f"its process ended: {outcome.end_detail}"
    return "it did not get that far"


def _headline(
    asked: Asked,
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
    asked: Asked,
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
