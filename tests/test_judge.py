"""Tests the verdict: the facts of a submission judged by those of the solution."""

from __future__ import annotations

import math
from typing import Any

import pytest
from msgspec.structs import replace

from builders import STAGES, equation, failure, jaxpr, outcome, passed_stages, tree, var
from jaxtutor.core import vocabulary as words
from jaxtutor.core.data.facts import (
    Broke,
    CaseFacts,
    Cost,
    EagerFacts,
    End,
    Event,
    LessonFault,
    MissingFunction,
    NotCallable,
    ObservationFacts,
    Outcome,
    Peeked,
    PropertyFacts,
    Replaced,
    StageFacts,
    Started,
    TraceFacts,
    WrongSignature,
)
from jaxtutor.core.data.failures import Leak
from jaxtutor.core.data.jaxprs import Equation, Jaxpr, Var
from jaxtutor.core.data.observations import LeakedTracer
from jaxtutor.core.data.values import Tree
from jaxtutor.core.data.verdicts import Verdict
from jaxtutor.core.judging.fault_texts import without_check_paths
from jaxtutor.core.judging.judge import Criteria, find_failed_check, find_fault, judge
from jaxtutor.core.judging.outcomes import own_seconds, shown_prints

ASKED = Criteria("double-it", "double", seconds=10.0, memory=512)
TYPES = PropertyFacts(words.Types([]), 0.1, trees=(tree([1.0]),), inputs=("x=1",))
SPARE = PropertyFacts(words.Custom("odd", "It is odd."), 0.1)


def case(inputs: str, output: Tree | None, **details: Any) -> CaseFacts:
    """Make the facts of a call."""
    return CaseFacts(inputs, True, output, **details)


def whole(*properties: PropertyFacts, output: Tree | None = None) -> list[Event]:
    """Make what a submission reports that gives [1.0] and [2.0]."""
    first = case("x=1", output or tree([1.0]))
    return [*passed_stages(), first, case("x=2", tree([2.0])), *properties]


REFERENCE = outcome(whole(TYPES, SPARE))


def verdict_on(*events: Event, end: End = "finished", **details: Any) -> Verdict:
    """Judge a submission that reports these events."""
    return judge(ASKED, outcome(events, end, **details), REFERENCE)


def statuses(verdict: Verdict) -> dict[str, str]:
    """Return the status of each check by name."""
    return {check.name: check.status for check in verdict.checks}


def detail(verdict: Verdict) -> str:
    """Return what the check that failed says."""
    (failed,) = [check for check in verdict.checks if check.status == "failed"]
    return failed.detail


# ---------------------------------------------------------------- passing


def test_a_right_submission_passes_every_check() -> None:
    """Each stage and each property of the lesson is a check, in order."""
    verdict = verdict_on(*whole(TYPES, SPARE))

    assert ("passed", "passed") == (verdict.status, verdict.headline)
    assert dict.fromkeys((*STAGES, "dtype", "odd"), "passed") == statuses(verdict)


def test_a_verdict_carries_where_it_was_made() -> None:
    """Device, version, seconds and costs are reported with it."""
    cost = Cost(12.0, 34.0)
    reference = outcome([*whole(TYPES, SPARE), Cost(1.0, 2.0)])
    verdict = judge(ASKED, outcome([*whole(TYPES, SPARE), cost]), reference)

    assert ("cpu:0", "0.12.0", 0.5) == (verdict.device, verdict.jax_version, verdict.seconds)
    assert (cost, Cost(1.0, 2.0)) == (verdict.cost, verdict.reference_cost)


def test_checks_are_those_of_the_solution() -> None:
    """A lesson whose function compiles itself has no check of make_jaxpr."""
    stages = [name for name in STAGES if name != "jaxpr"]
    events = [*passed_stages(*stages), case("x=1", tree([1.0]))]
    verdict = judge(ASKED, outcome(events), outcome(events))

    assert stages == list(statuses(verdict))
    assert "It runs." in [check.says for check in verdict.checks]


def test_python_on_the_host_is_no_answer_unless_the_solution_calls_it_too() -> None:
    """A trace with pure_callback fails by name; in a lesson about callbacks it passes."""
    inner = jaxpr(1, 2, equation("pure_callback", 2, 1))
    calling = TraceFacts(jaxpr(1, 2, replace(equation("jit", 2, 1), inner=(("jaxpr", inner),))))
    plain = TraceFacts(jaxpr(1, 2, equation("sin", 2, 1)))
    verdict = judge(ASKED, outcome([*whole(), calling]), outcome([*whole(), plain]))
    both = judge(ASKED, outcome([*whole(), calling]), outcome([*whole(), calling]))

    assert ("failed", "passed") == (verdict.status, both.status)
    assert "jax.pure_callback" in detail(verdict)


def test_a_check_has_the_lessons_own_words() -> None:
    """What a lesson says of a property is what the learner reads."""
    own = replace(TYPES, property=words.Types([], says="Integers stay integers."))
    verdict = judge(ASKED, outcome(whole(own)), outcome(whole(own)))

    assert "Integers stay integers." == verdict.checks[-1].says


# ---------------------------------------------------------------- failing


def test_a_wrong_answer_fails_and_shows_both() -> None:
    """The first call with a wrong answer is shown against the solution's."""
    verdict = verdict_on(*whole(TYPES, SPARE, output=tree([7.0])))
    (failed,) = [check for check in verdict.checks if check.status == "failed"]

    assert "failed" == verdict.status
    assert ("for x=1: the value differs", "Wrong answer") == (failed.detail, failed.title)
    assert "Wrong answer" == verdict.headline
    assert failed.case is not None
    assert (tree([1.0]), tree([7.0])) == (failed.case.expected, failed.case.actual)


def test_only_the_first_broken_check_fails() -> None:
    """What comes after it is skipped, though it would fail too."""
    wrong = replace(TYPES, trees=(tree([1.0, 1.0]),))
    verdict = verdict_on(*whole(wrong, replace(SPARE, problem="it is even")))

    assert ("failed", "skipped") == (statuses(verdict)["dtype"], statuses(verdict)["odd"])


def test_a_check_fails_before_the_run_has_ended() -> None:
    """What failed is known at once; what was not measured yet has not failed."""
    wrong = replace(TYPES, trees=(tree([1.0, 1.0]),))

    def failed(*events: Event) -> str:
        return find_failed_check(ASKED, events, REFERENCE)

    assert "" == failed(*passed_stages("import"))
    assert "" == failed(*whole())
    assert "values" == failed(*whole(output=tree([7.0])))
    assert "" == failed(*whole(TYPES))
    assert "dtype" == failed(*whole(wrong))
    assert "" == failed(*whole(TYPES, SPARE))


def test_several_wrong_answers_are_counted() -> None:
    """The detail says how many calls are wrong, and shows the first of them."""
    events = [*passed_stages(), case("x=1", tree([7.0])), case("x=2", tree([7.0]))]

    assert "2 of 2 calls return a wrong answer; for x=1: the value differs" == detail(
        verdict_on(*events, TYPES, SPARE)
    )


@pytest.mark.parametrize(
    ("calls", "shown"),
    [
        ([("x=-inf", [-math.inf], ""), ("x=[1, 2]", [1.0, 2.0], "")], "x=[1, 2]"),
        ([("x=0", [0.0], "a zero"), ("x=[1, 2]", [1.0, 2.0], "")], "x=[1, 2]"),
        ([("x=[1, 2]", [1.0, 2.0], ""), ("x=3", [3.0], "")], "x=3"),
        ([("x=0", [0.0], "a zero"), ("x=-inf", [-math.inf], "")], "x=0"),
    ],
)
def test_the_clearest_of_the_failing_calls_is_shown(
    calls: list[tuple[str, list[float], str]], shown: str
) -> None:
    """Finite numbers come first, then a call without a reason of its own, then the smallest."""
    ours = [CaseFacts(said, False, tree([9.0] * len(out))) for said, out, _ in calls]
    theirs = [CaseFacts(said, False, tree(out)) for said, out, _ in calls]
    ours = [replace(it, reason=call[2]) for it, call in zip(ours, calls, strict=True)]
    verdict = judge(ASKED, outcome([*passed_stages(), *ours]), outcome([*passed_stages(), *theirs]))

    assert f"for {shown}: " in detail(verdict)


def test_a_wrong_answer_is_shown_before_a_later_error() -> None:
    """A call that returned a wrong answer comes before a call that raised after it."""
    raised = failure("ValueError", "no")
    events = [
        *passed_stages("import", "function", "jaxpr", "jit"),
        case("x=1", tree([7.0])),
        case("x=2", None, failure=raised),
        StageFacts("values", 0.1, raised),
    ]
    verdict = verdict_on(*events)

    assert ("failed", None, "Wrong answer") == (verdict.status, verdict.failure, verdict.headline)


def test_the_call_that_raised_is_named() -> None:
    """An error in a hidden call comes with its arguments, and with what is special about them."""
    raised = failure("ValueError", "no")
    events = [
        *passed_stages("import", "function", "jaxpr", "jit"),
        case("x=1", tree([1.0])),
        case("x=2", None, failure=raised, reason="odd"),
        StageFacts("values", 0.1, raised),
    ]

    verdict = verdict_on(*events)

    assert ("x=2", "odd") == (verdict.failed_call, verdict.failed_reason)


def test_a_check_that_failed_is_the_headline_and_not_a_later_timeout() -> None:
    """A process that runs out of time after a failed check does not hide that check."""
    events = [*passed_stages("import", "function", "jaxpr", "jit"), case("x=1", tree([7.0]))]
    verdict = verdict_on(*events, end="timed_out")

    assert ("failed", "Wrong answer") == (verdict.status, verdict.headline)


def test_a_timeout_names_the_call() -> None:
    """The call that was running when time ran out is named."""
    events = [*passed_stages("import", "function", "jaxpr", "jit"), case("x=1", tree([1.0]))]
    verdict = verdict_on(*events, Started("values", "x=2"), end="timed_out")

    assert ("timed_out", "x=2") == (verdict.status, verdict.failed_call)


def test_the_reason_of_a_call_comes_with_it() -> None:
    """What is special about a call is part of the case that is shown."""
    events = [*passed_stages(), case("x=1", tree([7.0]), reason="a negative zero")]
    (failed,) = [check for check in verdict_on(*events).checks if check.status == "failed"]

    assert failed.case is not None
    assert "a negative zero" == failed.case.reason


def test_what_the_answers_are_instead_is_reported() -> None:
    """One relation between all answers and the expected ones is part of the verdict."""
    expected = [tree([1.0, 2.0, 5.0]), tree([3.0, -4.0])]
    doubled = [tree([2.0, 4.0, 10.0]), tree([6.0, -8.0])]
    sides = [
        outcome([*passed_stages(), *(case(f"x={n}", value) for n, value in enumerate(values))])
        for values in (doubled, expected)
    ]

    assert "In both calls your answer is the expected one multiplied by 2." == (
        judge(ASKED, *sides).relation
    )


def test_two_properties_of_one_name_are_judged_each_by_its_own() -> None:
    """A lesson may ask for two kinds of types; the second's facts are not taken for the first's."""
    second = replace(TYPES, trees=(tree([1], "int32"), tree([2], "int32")), inputs=("n=1", "n=2"))
    reference = outcome(whole(TYPES, second))

    verdict = judge(ASKED, outcome(whole(TYPES, second)), reference)
    wrong = judge(ASKED, outcome(whole(TYPES, replace(second, trees=TYPES.trees * 2))), reference)

    assert "passed" == verdict.status
    assert ["passed", "failed"] == [check.status for check in wrong.checks[-2:]]


def test_a_missing_function_says_what_there_is() -> None:
    """The headline names the expected function and those that the file defines."""
    problem = MissingFunction("double", ("doubel", "helper"))
    verdict = verdict_on(*passed_stages("import"), StageFacts("function", 0.0, problem=problem))

    assert "failed" == verdict.status
    assert "`double` is not defined; the file defines `doubel`, `helper`" == verdict.headline


def test_a_file_that_defines_nothing_is_not_listed() -> None:
    """An empty file has nothing to offer."""
    problem = MissingFunction("double")
    verdict = verdict_on(*passed_stages("import"), StageFacts("function", 0.0, problem=problem))

    assert "`double` is not defined" == verdict.headline


def test_a_wrong_arity_says_why() -> None:
    """The headline gives the signature and the argument that does not fit."""
    problem = WrongSignature("double(x, y)", "missing a required argument: 'y'")
    verdict = verdict_on(*passed_stages("import"), StageFacts("function", 0.0, problem=problem))

    assert (
        "`double(x, y)` does not accept the arguments: missing a required argument: 'y'"
        == verdict.headline
    )


def test_what_cannot_be_called_is_named() -> None:
    """A value that is returned where a function is expected is named."""
    problem = NotCallable("make_step", "None")
    verdict = verdict_on(*passed_stages("import"), StageFacts("function", 0.0, problem=problem))

    assert "`make_step` returns None, which cannot be called" == verdict.headline


def test_a_leak_fails_its_check() -> None:
    """A tracer seen alive after the calls is named."""
    leak = Leak("float32[3]", None, "list", "acts", "f", "jit")
    seen = ObservationFacts(LeakedTracer(leak))
    verdict = verdict_on(*whole(TYPES, SPARE), seen)

    assert "failed" == statuses(verdict)["leaks"]
    assert "a tracer of type float32[3] outlived the call in acts" == detail(verdict)


# ---------------------------------------------------------------- raising


def test_what_raises_is_raised() -> None:
    """The stage that let it out fails, and the failure is kept for the diagnosis."""
    raised = failure("TypeError", "no dice\nmore")
    verdict = verdict_on(
        *passed_stages("import", "function"), StageFacts("jaxpr", 0.1, raised), EagerFacts(True)
    )

    assert ("raised", "TypeError was raised") == (verdict.status, verdict.headline)
    assert "TypeError: no dice" == detail(verdict)
    assert raised == verdict.failure
    assert {"jit": "skipped", "values": "skipped"}.items() <= statuses(verdict).items()


@pytest.mark.parametrize("works", [True, False])
def test_what_works_without_jit_is_reported(works: bool) -> None:
    """Whether the same call works without compiling is part of the verdict."""
    verdict = verdict_on(
        *passed_stages("import", "function"),
        StageFacts("jaxpr", 0.1, failure()),
        EagerFacts(works),
    )

    assert works == verdict.works_without_jit


def test_jit_is_not_mentioned_where_it_was_not_tried() -> None:
    """A file that does not run has not been tried without jit."""
    assert not verdict_on(StageFacts("import", 0.1, failure())).works_without_jit


def test_a_property_that_raises_is_raised() -> None:
    """An exception under grad is the submission's, and the check names it."""
    broken = replace(TYPES, failure=failure("TypeError", "grad requires real inputs"))
    verdict = verdict_on(*whole(broken, SPARE))

    assert "raised" == verdict.status
    assert "failed" == statuses(verdict)["dtype"]
    assert broken.failure == verdict.failure


def test_a_call_that_raises_among_others_is_shown() -> None:
    """The calls before it have their answers, it has its failure."""
    raised = failure()
    verdict = verdict_on(
        *passed_stages("import", "function", "jaxpr", "jit"),
        case("x=1", tree([1.0])),
        case("x=2", None, failure=raised),
        StageFacts("values", 0.1, raised),
    )

    assert "raised" == verdict.status
    assert [True, False] == [it.passed for it in verdict.cases]
    assert "ValueError: no" == verdict.cases[1].problem


def test_a_message_names_the_check_and_not_its_file() -> None:
    """JAX names the file that traced a function; the learner does not have the lesson's checks."""
    message = (
        "while tracing <lambda> at /course/01_a/01_b/checks.py:78 for jit.\nin /home/me/b.py:3"
    )
    said = without_check_paths(replace(failure(), message=message)).message

    assert "while tracing <lambda> at the lesson's check for jit.\nin /home/me/b.py:3" == said


def test_an_exception_without_words_is_its_class() -> None:
    """Nothing trails behind a class that has no message."""
    verdict = verdict_on(StageFacts("import", 0.1, failure("MemoryError", "")))

    assert "MemoryError" == detail(verdict)


# ---------------------------------------------------------------- not ending


@pytest.mark.parametrize(
    ("end", "end_detail", "status", "says"),
    [
        ("timed_out", "jit", "timed_out", "It was still running after 10 s"),
        ("out_of_memory", "jit", "crashed", "It needed more than 512 MiB of memory"),
        (
            "crashed",
            "it was ended by SIGKILL",
            "crashed",
            "Its process ended: it was ended by SIGKILL",
        ),
    ],
)
def test_an_early_end_is_reported(end: End, end_detail: str, status: str, says: str) -> None:
    """The check that was running fails with what ended it; those before it have passed."""
    events = passed_stages("import", "function", "jaxpr")
    verdict = verdict_on(*events, end=end, end_detail=end_detail)

    assert (status, says) == (verdict.status, verdict.headline)
    assert says.lower() == detail(verdict).lower()
    assert ("passed", "failed", "skipped") == (
        statuses(verdict)["jaxpr"],
        statuses(verdict)["jit"],
        statuses(verdict)["values"],
    )


def test_an_end_within_a_property_is_that_propertys() -> None:
    """What had been measured before is judged as ever."""
    verdict = verdict_on(*whole(TYPES), end="timed_out", end_detail="properties")

    assert "timed_out" == verdict.status
    assert ("passed", "failed") == (statuses(verdict)["dtype"], statuses(verdict)["odd"])


def test_a_wrong_answer_comes_before_the_end() -> None:
    """The verdict on a submission that was wrong and then ran on says that it was wrong."""
    verdict = verdict_on(
        *passed_stages(), case("x=1", tree([7.0])), end="timed_out", end_detail="properties"
    )

    assert "for x=1: the value differs" == detail(verdict)


# ---------------------------------------------------------------- the lesson at fault


def fault_of(reference: Outcome, submission: Outcome = REFERENCE) -> str:
    """Return the headline of a verdict that blames the lesson."""
    verdict = judge(ASKED, submission, reference)
    assert "lesson_at_fault" == verdict.status
    assert verdict.checks == ()
    return verdict.headline


def test_checks_that_break_are_the_lessons_fault() -> None:
    """An error in checks.py is the lesson's fault, with or without a submission's result."""
    broken = outcome([LessonFault("checks.py: NameError: n")])

    assert "checks.py: NameError: n" == fault_of(REFERENCE, broken)
    assert "checks.py: NameError: n" == fault_of(broken)


@pytest.mark.parametrize(
    ("end", "says"),
    [
        ("timed_out", "its solution did not end in time (jit)"),
        ("crashed", "its solution ended its process (jit)"),
        ("out_of_memory", "its solution needed too much memory (jit)"),
    ],
)
def test_a_solution_that_does_not_end_is_the_lessons_fault(end: End, says: str) -> None:
    """The message does not blame the code of the learner."""
    assert says == fault_of(outcome(passed_stages("import"), end, end_detail="jit"))


def test_a_solution_that_raises_is_the_lessons_fault() -> None:
    """In a stage, in a call, or in a property."""
    raised = failure("TypeError", "no")
    for events in (
        [StageFacts("import", 0.1, raised)],
        [*passed_stages(), case("x=1", None, failure=raised)],
        [*passed_stages(), replace(TYPES, failure=raised)],
    ):
        assert "its solution raised TypeError: no" == fault_of(outcome(events))


def test_a_solution_without_the_function_is_the_lessons_fault() -> None:
    """The name in lesson.toml must be what the solution defines."""
    problem = MissingFunction("double")
    reference = outcome([StageFacts("function", 0.0, problem=problem)])

    assert "its solution does not define the function that its checks call" == fault_of(reference)


def test_a_solution_that_contradicts_its_page_is_the_lessons_fault() -> None:
    """What an example states is held against the solution, not the learner."""
    reference = outcome([*passed_stages(), case("x=1", tree([1.0]), stated=tree([3.0]))])

    assert "its solution contradicts the example x=1: the value differs" == fault_of(reference)


def test_a_solution_that_fails_its_own_checks_is_the_lessons_fault() -> None:
    """A check that the solution itself fails is the lesson's fault."""
    traced = PropertyFacts(words.Traces([]), 0.1, counts={"traces": 3, "calls": 3})

    assert (
        "its solution fails the check traces-once: traced 3 times in 3 calls, expected once"
    ) == fault_of(outcome(whole(TYPES, traced)))


def test_a_solution_that_leaks_is_the_lessons_fault() -> None:
    """Stages count as well as properties."""
    leak = ObservationFacts(LeakedTracer(Leak("float32[]", None, "list", "a", "f", "")))

    assert "its solution fails the check leaks" in fault_of(outcome([*whole(TYPES), leak]))


def test_a_sound_lesson_has_no_fault() -> None:
    """A solution that gives what is stated is beyond reproach."""
    reference = outcome([*passed_stages(), case("x=1", tree([1.0]), stated=tree([1.0]))])

    assert find_fault(ASKED, REFERENCE, reference) == ""


# ---------------------------------------------------------------- prints and times


@pytest.mark.parametrize(
    ("printed", "shown"),
    [
        ((("import", "a"), ("jaxpr", "b"), ("jit", "c"), ("values", "d")), "ac"),
        ((("import", "a"), ("jaxpr", "b")), "ab"),
        ((("", "noise"), ("ready", "noise"), ("jit", "c")), "c"),
        ((("import", "a"), ("import", "b")), "ab"),
        ((), ""),
    ],
)
def test_the_prints_of_one_call_are_shown(printed: tuple[tuple[str, str], ...], shown: str) -> None:
    """Those of the import and of one compiled call; of the trace where no call came after."""
    assert shown == shown_prints(outcome([], printed=printed))


def test_own_time_is_what_the_worker_measured() -> None:
    """Where it was ended early, it is the time until then."""
    assert 0.25 == own_seconds(outcome([]))
    assert 0.5 == own_seconds(outcome([], "timed_out"))


# ---------------------------------------------------------------- what stands on others


@pytest.mark.parametrize(
    ("event", "says"),
    [
        (Replaced(("jax.jit",)), "It replaces `jax.jit`, which JAX and this check rely on: "),
        (Replaced(("time.time", "os.write")), "It replaces `time.time` and `os.write`, which "),
        (
            Replaced(("a.__doc__", "a.b", "a.c", "a.d", "a.e")),
            "It replaces `a.b`, `a.c`, `a.d` and 2 more names, which ",
        ),
        (Peeked(), "It opens the lesson's solution"),
    ],
)
def test_who_stands_on_others_does_not_pass(event: Event, says: str) -> None:
    """All answers are right, and all is measured as asked, and none of it means anything."""
    verdict = verdict_on(*whole(TYPES, SPARE), event)

    assert "failed" == verdict.status
    assert verdict.headline.startswith(says)
    assert "failed" == statuses(verdict)["import"]


def test_what_was_raised_by_what_was_replaced_is_not_reported() -> None:
    """The failure in JAX's own code is a consequence."""
    raised = StageFacts("import", 0.1, failure("TypeError", "'NoneType' object is not callable"))
    verdict = verdict_on(Replaced(("builtins.len",)), raised)

    assert ("failed", None) == (verdict.status, verdict.failure)
    assert "`builtins.len`" in verdict.headline


def test_a_check_that_cannot_go_on_says_why() -> None:
    """An exception in the worker's own code is the headline, not an exit status."""
    events = [*passed_stages()[:2], Broke("OSError: no room")]
    verdict = verdict_on(*events, end="crashed", end_detail="it left with exit status 1")

    assert "crashed" == verdict.status
    assert "The check could not go on: OSError: no room" == verdict.headline


@pytest.mark.parametrize(
    ("shape", "says"),
    [
        ((64,) * 8, "an array float32[64,64,64,64,64,64,64,64] of 281,474,976,710,656 elements"),
        ((64,), "compiled code crashed, as XLA may for arrays that are too large"),
    ],
)
def test_a_crash_of_compiled_code_says_what_to_do(shape: tuple[int, ...], says: str) -> None:
    """XLA crashes on some programs that are too large; the largest array is named if it is."""
    too_large = Equation("add", (var(1, shape=shape),), (var(0), var(0)))
    events = [*passed_stages("import", "function", "jaxpr"), TraceFacts(jaxpr(0, 1, too_large))]
    verdict = verdict_on(*events, end="crashed", end_detail="it was ended by SIGSEGV")
    (failed,) = [check for check in verdict.checks if check.status == "failed"]

    assert says in failed.detail
    assert "Its process ended: it was ended by SIGSEGV" == verdict.headline


# ---------------------------------------------------------------- dtypes


def test_dtypes_are_compared_where_no_property_does() -> None:
    """A right number of another dtype fails `values` in a lesson that lists no `Types`."""
    wide = [*passed_stages(), case("x=1", tree([1], "int32")), case("x=2", tree([2.0]))]
    verdict = judge(ASKED, outcome([*wide, SPARE]), outcome(whole(SPARE)))
    failed = next(check for check in verdict.checks if check.status == "failed")

    assert ("values", "Wrong dtype: expected float32[1], got int32[1]") == (
        failed.name,
        failed.title,
    )
    listed = judge(ASKED, outcome([*wide, TYPES, SPARE]), outcome(whole(TYPES, SPARE)))
    assert "passed" == listed.status


def test_a_python_number_has_no_dtype_to_compare() -> None:
    """A Python float in the place of an array's number passes, and so does a weak type."""
    reference = [*passed_stages(), case("x=1", tree(1.5))]
    for given in (tree(1.5, "float"), tree(1.5, weak=True)):
        events = [*passed_stages(), case("x=1", given)]
        assert "passed" == judge(ASKED, outcome(events), outcome(reference)).status


def test_the_line_that_changes_the_dtype_is_named() -> None:
    """The title has both dtypes, and the relation the line whose equation converts."""
    half, wide = Var(0, "float16", (1,)), Var(1, "float32", (1,))
    convert = Equation("convert_element_type", (wide,), (half,), line=4)
    double = Equation("mul", (Var(2, "float32", (1,)),), (wide, wide), line=5)
    made = Jaxpr((half,), double.outs, (convert, double))
    wanted = replace(TYPES, trees=(tree([1.0], "float16"),))
    ours = replace(wanted, trees=(tree([1.0]),), jaxprs=(made,))
    verdict = judge(ASKED, outcome(whole(ours)), outcome(whole(wanted)))

    assert "Wrong dtype: expected float16[1], got float32[1]" == verdict.headline
    assert "Line 4 turns float16 into float32." == verdict.relation
