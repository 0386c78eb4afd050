"""Judges a submission: turns its measured facts and the solution's into a verdict.

The same request is carried out for both, in two processes; what is judged here is plain data.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import zip_longest

from msgspec import Struct
from msgspec.structs import replace

from jaxtutor.core.data.facts import (
    CaseFacts,
    Cost,
    EagerFacts,
    Event,
    LessonFault,
    ObservationFacts,
    Outcome,
    PropertyFacts,
    StageFacts,
    TraceFacts,
    Unmeasured,
)
from jaxtutor.core.data.failures import Failure
from jaxtutor.core.data.observations import LeakedTracer
from jaxtutor.core.data.values import ArrayValue
from jaxtutor.core.data.verdicts import CaseResult, CheckResult, Difference, Verdict, VerdictStatus
from jaxtutor.core.judging.compare import (
    Tolerance,
    begin_sentence,
    compare,
    difference_text,
    type_text,
)
from jaxtutor.core.judging.fault_texts import (
    HOST,
    SAYS,
    UNMEASURED,
    UNMEASURED_TITLE,
    end_text,
    foul_text,
    function_text,
    raised_text,
    stage_says,
    without_check_paths,
    wrong_text,
)
from jaxtutor.core.judging.outcomes import (
    calls_python,
    end_words,
    first_failure,
    last_call,
    pick,
    shown_prints,
)
from jaxtutor.core.judging.properties import (
    Problem,
    clearest_failing,
    judge_property,
    kinds_of,
    leak_text,
    relation_over,
    type_title,
    value_title,
)
from jaxtutor.core.vocabulary import Types

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


def find_failed_check(asked: Criteria, events: tuple[Event, ...], reference: Outcome) -> str:
    """Return the first check that has failed in a run that goes on, or an empty string.

    Nothing that is measured later changes that check: it judges what has arrived.
    """
    trial = _Trial(asked, Outcome("finished", 0.0, events=events), reference)
    failed = (check.name for check in trial.measured_checks() if check.status == "failed")
    return next(failed, "")


def find_fault(asked: Criteria, outcome: Outcome, reference: Outcome) -> str:
    """Return what is wrong with the lesson itself, or an empty string."""
    for fault in (*pick(outcome, LessonFault), *pick(reference, LessonFault)):
        return fault.message
    if reference.end != "finished":
        return f"its solution {end_words(reference)}"
    failure = first_failure(reference)
    if failure:
        return f"its solution raised {failure.error_class}: {failure.message}"
    broken = [stage for stage in pick(reference, StageFacts) if stage.problem]
    if broken:
        return "its solution does not define the function that its checks call"
    contradiction = next(_contradictions(reference, asked.tolerance), "")
    return contradiction or _own_fault(asked, reference)


def _own_fault(asked: Criteria, reference: Outcome) -> str:
    """Judge the solution by the lesson's own checks."""
    verdict = _Trial(asked, reference, reference).verdict()
    failed = next((check for check in verdict.checks if check.status == "failed"), None)
    return f"its solution fails the check {failed.name}: {failed.detail}" if failed else ""


def _contradictions(reference: Outcome, tolerance: Tolerance | None) -> Iterator[str]:
    """Yield the examples whose stated answer the solution does not return."""
    for case in pick(reference, CaseFacts):
        if case.stated is not None and case.output is not None:
            # The answer's dtype, not that of the numbers on the page, says how close is close.
            difference = compare(case.output, case.stated, tolerance)
            if difference:
                yield f"its solution contradicts the example {case.inputs}: {difference.says}"


class _Trial:
    """Judges the checks in order; after the first that fails, the rest are skipped."""

    def __init__(self, asked: Criteria, outcome: Outcome, reference: Outcome) -> None:
        self.asked = asked
        self.outcome = outcome
        self.reference = reference
        self.stages = {stage.name: stage for stage in pick(outcome, StageFacts)}
        self.foul = foul_text(outcome)
        self.failure: Failure | None = None
        self.failed_call = ""
        self.relation = ""
        self.kinds: tuple[str, ...] = ()
        self.cases = tuple(self._judge_cases())
        self.broken = False
        self.ended_early = False  # the first check that failed is one that was never measured

    def verdict(self) -> Verdict:
        checks = self._with_dtypes(tuple(self._checks()))
        status = self._status(checks)
        failed = next((check for check in checks if check.status == "failed"), None)
        headline = _headline(failed, self.failure)
        verdict = _verdict(self.asked, self.outcome, status, headline, checks)
        verdict = _with_results(verdict, self.outcome, self.reference, self.cases, self.failure)
        return replace(
            verdict, relation=self.relation, kinds=self.kinds, failed_call=self.failed_call
        )

    def measured_checks(self) -> Iterator[CheckResult]:
        """Yield the checks up to the first that was not measured."""
        for check in self._checks():
            if self.ended_early:
                return
            yield check

    def _status(self, checks: tuple[CheckResult, ...]) -> VerdictStatus:
        if self.failure is not None:
            return "raised"
        if self.foul:
            return "failed"
        if not any(check.status == "failed" for check in checks):
            return "passed"
        end = self.outcome.end
        if not self.ended_early:  # what failed was measured before the process ended
            return "failed"
        if end == "timed_out":
            return "timed_out"
        return "crashed" if end in ("crashed", "out_of_memory") else "failed"

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
        says = stage_says(name, self.asked.function, self._jits())
        stage = self.stages.get(name)
        if self.broken:
            return CheckResult(name, says, "skipped")
        if name == "import" and self.foul:
            return self._fail(name, SAYS["foul"], 0.0, Problem(self.foul))
        if stage is None and not (name == "values" and self._wrong_case()):
            return self._fail_unmeasured(name, says)
        stage = stage or StageFacts(name, 0.0)
        if name == "jaxpr" and calls_python(self.outcome) and not calls_python(self.reference):
            return self._fail(name, SAYS["host"], stage.seconds, Problem(HOST))
        problem = self._stage_problem(name, stage)
        if problem:
            return self._fail(name, says, stage.seconds, problem)
        return CheckResult(name, says, "passed", stage.seconds)

    def _jits(self) -> bool:
        return any(stage.name == "jaxpr" for stage in pick(self.reference, StageFacts))

    def _fail_unmeasured(self, name: str, says: str) -> CheckResult:
        self.ended_early = True
        self.failed_call = last_call(self.outcome) if self.outcome.end != "finished" else ""
        text = end_text(self.outcome, self.asked.seconds, self.asked.memory)
        title = begin_sentence(text).partition(";")[0]
        return self._fail(name, says, 0.0, Problem(text, title=title))

    def _stage_problem(self, name: str, stage: StageFacts) -> Problem | None:
        if name == "values" and self._wrong_case():
            return self._value_problem()  # it came before what may have been raised
        if name == "values":
            for found in pick(self.outcome, Unmeasured):
                return Problem(UNMEASURED + found.says, title=UNMEASURED_TITLE)
        if stage.failure is not None:
            self.failure = without_check_paths(stage.failure)
            self.failed_call = self._raising_call(name)
            return Problem(raised_text(stage.failure))
        if stage.problem is not None:
            return Problem(function_text(stage.problem))
        if name == "leaks":
            seen = [facts.observation for facts in pick(self.outcome, ObservationFacts)]
            texts = (leak_text(it.leak) for it in seen if isinstance(it, LeakedTracer))
            return next((Problem(text, title="A tracer leaked") for text in texts), None)
        return None

    def _wrong_case(self) -> CaseResult | None:
        """Return the wrong answer to show; a call that raised has none."""
        return clearest_failing(case for case in self.cases if case.actual is not None)

    def _value_problem(self) -> Problem | None:
        case = self._wrong_case()
        if case is None or case.difference is None:
            return None
        relation = relation_over(self.cases)
        says = relation.says if relation else ""
        title = value_title(case, "Wrong answer")
        return Problem(wrong_text(case, self.cases), case, title, says, kinds_of(case, relation))

    def _with_dtypes(self, checks: tuple[CheckResult, ...]) -> tuple[CheckResult, ...]:
        """Fail `values` where everything else is right and only a dtype is not."""
        problem = None if self.broken else self._dtype_problem()
        if problem is None:
            return checks
        return tuple(
            self._fail(check.name, check.says, check.seconds, problem)
            if check.name == "values"
            else check
            for check in checks
        )

    def _dtype_problem(self) -> Problem | None:
        """Compare the dtypes of right answers, where no property of the lesson does."""
        compared = [facts.property for facts in pick(self.reference, PropertyFacts)]
        if any(isinstance(wanted, Types) for wanted in compared):
            return None
        retyped = (replace(case, difference=_dtype_difference(case)) for case in self.cases)
        case = clearest_failing(
            replace(case, passed=False) for case in retyped if case.difference is not None
        )
        if case is None or case.difference is None:
            return None
        says = difference_text(case.difference)
        return Problem(f"for {case.inputs}: {says}", replace(case, problem=says), type_title(case))

    def _raising_call(self, stage: str) -> str:
        """Describe the call that raised; the stages before `values` make the first one."""
        raised = [case.inputs for case in pick(self.outcome, CaseFacts) if case.failure]
        if stage in ("jaxpr", "jit"):
            raised = [case.inputs for case in pick(self.reference, CaseFacts)[:1]]
        return raised[0] if raised else ""

    def _check_property(self, ours: PropertyFacts | None, theirs: PropertyFacts) -> CheckResult:
        name, says = theirs.property.name, theirs.property.says
        if self.broken:
            return CheckResult(name, says, "skipped")
        if ours is None:
            return self._fail_unmeasured(name, says)
        if ours.failure is not None:
            self.failure = without_check_paths(ours.failure)
            self.failed_call = ours.failed_call
            return self._fail(name, says, ours.seconds, Problem(raised_text(ours.failure)))
        if not _are_comparable(ours, theirs):
            return self._fail(name, says, ours.seconds, Problem("it reported something else"))
        problem = judge_property(ours, theirs, self.asked.tolerance)
        if problem:
            failed = self._fail(name, says, ours.seconds, problem)
            return replace(failed, answers=(*ours.trees, *ours.weighted))
        return CheckResult(name, says, "passed", ours.seconds)

    def _fail(self, name: str, says: str, seconds: float, problem: Problem) -> CheckResult:
        self.broken = True
        self.relation, self.kinds = problem.relation, problem.kinds
        title = problem.title or begin_sentence(problem.says)
        return CheckResult(name, says, "failed", seconds, problem.says, problem.case, title)

    def _judge_cases(self) -> Iterator[CaseResult]:
        pairs = zip(pick(self.outcome, CaseFacts), pick(self.reference, CaseFacts), strict=False)
        for ours, theirs in pairs:
            yield judge_case(ours, theirs, self.asked.tolerance)


def _are_comparable(ours: PropertyFacts, theirs: PropertyFacts) -> bool:
    """Return whether both are measurements of one property: a submission may have sent its own."""
    return (
        ours.property == theirs.property
        and len(ours.trees) == len(theirs.trees)
        and len(ours.weighted) == len(theirs.weighted)
        and len(ours.primals) == len(theirs.primals)
        and len(ours.eager) == len(theirs.eager)
        and len(ours.inputs) == len(theirs.inputs)
        and len(ours.counts) == len(theirs.counts)
        and {"traces", "calls", "largest"} & {*theirs.counts} <= {*ours.counts}
    )


def judge_case(ours: CaseFacts, theirs: CaseFacts, tolerance: Tolerance | None) -> CaseResult:
    """Judge one call by the solution's answer to it."""
    if ours.output is None or theirs.output is None:
        says = raised_text(ours.failure) if ours.failure else "there was no answer"
        return CaseResult(
            ours.inputs, theirs.output, None, False, ours.visible, says, reason=ours.reason
        )
    difference = compare(theirs.output, ours.output, tolerance)
    return CaseResult(
        ours.inputs,
        theirs.output,
        ours.output,
        difference is None,
        ours.visible,
        difference_text(difference) if difference else "",
        difference,
        reason=ours.reason,
        arguments=ours.arguments,
    )


_PYTHON_NUMBERS = {"bool", "int", "float", "complex"}
"""What the dtype of a Python number is called."""


def _dtype_difference(case: CaseResult) -> Difference | None:
    """Return the first array of another dtype; a Python number has none of its own."""
    if case.expected is None or case.actual is None:
        return None
    for expected, actual in zip(case.expected.leaves, case.actual.leaves, strict=False):
        wanted, got = expected.value, actual.value
        if not isinstance(wanted, ArrayValue) or not isinstance(got, ArrayValue):
            continue
        if wanted.dtype != got.dtype and not {wanted.dtype, got.dtype} & _PYTHON_NUMBERS:
            said = (type_text(value).lstrip("~") for value in (wanted, got))
            return Difference(actual.path, "expected {}, got {}".format(*said))
    return None


# ---------------------------------------------------------------- assembly


def _headline(failed: CheckResult | None, failure: Failure | None) -> str:
    if failure is not None:
        return f"{failure.error_class} was raised"
    return failed.title if failed is not None else "passed"


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
