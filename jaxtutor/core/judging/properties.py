"""Judges one property: what was measured on the submission, against the solution."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from math import prod
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from jaxtutor.core import vocabulary as words
from jaxtutor.core.data.facts import PropertyFacts
from jaxtutor.core.data.failures import Leak
from jaxtutor.core.data.values import ArrayValue, Tree
from jaxtutor.core.data.verdicts import CaseResult, Difference
from jaxtutor.core.judging.compare import (
    Tolerance,
    begin_sentence,
    compare,
    compare_types,
    difference_text,
    find_non_finite,
)
from jaxtutor.core.judging.jaxprs import find_conversion
from jaxtutor.core.judging.relations import Comparison, Relation, find_relation

SHAPE, STRUCTURE = "shape", "structure"
"""The kinds of a wrong answer whose numbers are not compared."""

EAGER = "gradient without jit"
"""What an eager gradient is called. XLA may fold a NaN away that a learner would meet."""

LONGEST_TITLE = 60
"""Characters of a difference that still fit a headline beside its first words."""


class Problem(Struct, frozen=True):
    """What is wrong, in words, and the call that shows it, where one does.

    `title` has it in at most one short line; empty where `says` is as short. `kinds` are words for
    the kind of what is wrong, as hints are for them, the most telling first. `relation` says what
    the answers of all calls are instead of the expected ones.
    """

    says: str
    case: CaseResult | None = None
    title: str = ""
    relation: str = ""
    kinds: tuple[str, ...] = ()


def judge_property(
    ours: PropertyFacts, theirs: PropertyFacts, tolerance: Tolerance | None
) -> Problem | None:
    """Return what is wrong with one property, or None."""
    match theirs.property:
        case words.Gradient(finite=finite, primal=primal):
            problem = _gradient_problem(ours, theirs, tolerance, finite)
            return problem or (_primal_problem(ours, theirs, tolerance) if primal else None)
        case words.Vmap():
            answers = _answers(ours, theirs)
            title = "Wrong answer under jax.vmap"
            return _first_problem(
                answers, lambda e, a: compare(e, a, tolerance), "batched answer", title
            )
        case words.Types(weak=weak):
            return _type_problem(ours, theirs, weak)
        case words.Finite():
            return _finite_problem(ours)
        case _:
            says = _judge_facts(ours, theirs)
            return Problem(says, title=_title(theirs.property, says)) if says else None


def _title(wanted: words.Property, says: str) -> str:
    """Head a failure that no call shows."""
    match wanted:
        case words.SameSize():
            return "The program grows with its input"
        case words.LargestIntermediate():
            return "An intermediate array is too large"
        case words.NoConstants():
            return "A large array is captured as a constant"
        case words.NoLeak():
            return "A tracer leaked"
        case words.Sharded():
            return "Wrong sharding"
        case words.Untouched():
            return "An argument changes"
    return begin_sentence(says)


def _judge_facts(ours: PropertyFacts, theirs: PropertyFacts) -> str:
    match theirs.property:
        case words.Traces(times=times):
            return _judge_traces(ours.counts, times)
        case words.NoLeak():
            return next(map(leak_text, ours.leaks), "")
        case words.SameSize(factor=factor):
            return _judge_growth(ours.counts, factor)
        case words.Uses(primitives=asked):
            return "" if set(asked) & set(ours.names) else _not_used(asked, ours.names)
        case words.Avoids(primitives=banned):
            held = [name for name in banned if name in ours.names]
            return f"the jaxpr uses {', '.join(held)}" if held else ""
        case words.LargestIntermediate(at_most=most) | words.NoConstants(at_most=most):
            largest = ours.counts["largest"]
            return "" if largest <= most else f"one has {largest:,} elements; the limit is {most:,}"
        case words.Sharded():
            return _judge_shardings(ours.names, theirs.names)
        case words.Untouched() | words.Custom():
            return ours.problem
    return ""  # KeysOnce: a key used twice raises, and has been judged as a failure


def _judge_traces(counts: dict[str, int], times: int) -> str:
    seen, calls = counts["traces"], counts["calls"]
    if seen == times:
        return ""
    if not seen:
        return f"never traced in {calls} calls, expected {_times(times)}"
    return f"traced {_times(seen)} in {calls} calls, expected {_times(times)}"


def _times(count: int) -> str:
    return {1: "once", 2: "twice"}.get(count, f"{count} times")


def _judge_growth(counts: dict[str, int], factor: float) -> str:
    items = [(key.partition(":")[2], count) for key, count in counts.items()]
    (small, few), (large, many) = items[0], items[-1]
    if many <= few * factor:
        return ""
    return f"{few} equations for {small}, {many} for {large}"


def _not_used(asked: tuple[str, ...], names: tuple[str, ...]) -> str:
    return f"the jaxpr does not use {' or '.join(asked)}; it uses {', '.join(names) or 'nothing'}"


def _judge_shardings(ours: tuple[str, ...], theirs: tuple[str, ...]) -> str:
    if len(ours) != len(theirs):
        return f"expected {len(theirs)} arrays, got {len(ours)}"
    pairs = zip(theirs, ours, strict=True)
    return next((f"expected {want}, got {got}" for want, got in pairs if want != got), "")


# ---------------------------------------------------------------- properties of answers


Parts = Literal["trees", "weighted", "primals"]


def _answers(
    ours: PropertyFacts, theirs: PropertyFacts, parts: Parts = "trees"
) -> Iterator[CaseResult]:
    """Yield what was expected and what came for each call, not judged yet."""
    expected, actual = getattr(theirs, parts), getattr(ours, parts)
    count = len(expected)
    reasons = (*ours.reasons, *[""] * count)
    arguments = (*ours.arguments, *[None] * count)
    for n, (wanted, got) in enumerate(zip(expected, actual, strict=True)):
        yield CaseResult(
            ours.inputs[n], wanted, got, True, False, reason=reasons[n], arguments=arguments[n]
        )


Judge = Callable[[Tree, Tree], Difference | None]


def _first_problem(
    answers: Iterable[CaseResult], judge: Judge, what: str, title: str
) -> Problem | None:
    """Return the clearest failing call, the earlier of two alike, and what holds over all calls."""
    judged = [_judged(answer, judge, what) for answer in answers]
    case = clearest_failing(judged)
    if case is None or case.difference is None:
        return None
    relation = relation_over(judged, what)
    return Problem(
        f"the {what} for {case.inputs}: {case.problem}",
        case,
        value_title(case, title),
        relation.says if relation else "",
        kinds_of(case, relation),
    )


def _judged(answer: CaseResult, judge: Judge, what: str) -> CaseResult:
    assert answer.expected is not None
    assert answer.actual is not None
    difference = judge(answer.expected, answer.actual)
    if difference is None:
        return answer
    return replace(
        answer,
        passed=False,
        problem=difference_text(difference),
        difference=difference,
        what=what,
    )


def clearest_failing(cases: Iterable[CaseResult]) -> CaseResult | None:
    """Return the failing call to show.

    An example comes before a hidden call, finite numbers before `-inf` and NaN, a plain call before
    one with a reason of its own, which is not why the plain one fails, and then the smallest.
    """
    failing = [case for case in cases if not case.passed]
    return min(failing, key=_obscurity, default=None)


def _obscurity(case: CaseResult) -> tuple[bool, bool, bool, int]:
    return not case.visible, not _has_finite_numbers(case), bool(case.reason), _size(case)


def _has_finite_numbers(case: CaseResult) -> bool:
    trees = (case.expected, case.arguments)
    return all(tree is None or find_non_finite(tree) is None for tree in trees)


def _size(case: CaseResult) -> int:
    trees = [tree for tree in (case.expected, case.arguments) if tree is not None]
    leaves = [leaf.value for tree in trees for leaf in tree.leaves]
    return sum(prod(value.shape) for value in leaves if isinstance(value, ArrayValue))


def relation_over(cases: Iterable[CaseResult], what: str = "answer") -> Relation | None:
    """Return what the answers are instead of the expected ones, where one relation explains all."""
    compared = [
        Comparison(case.expected, case.actual, case.arguments)
        for case in cases
        if case.expected is not None and case.actual is not None
    ]
    return find_relation(compared, what)


def kinds_of(case: CaseResult, relation: Relation | None) -> tuple[str, ...]:
    """Return the kind of a wrong answer: that of the relation, and whether its form is wrong."""
    assert case.difference is not None
    difference, form = case.difference, ""
    if difference.says.startswith("expected shape"):
        form = SHAPE
    elif case.expected is not None and case.actual is not None:
        form = STRUCTURE if case.expected.structure != case.actual.structure else ""
    return tuple(filter(None, (relation.kind if relation else "", form)))


def value_title(case: CaseResult, title: str) -> str:
    """Head a wrong value: its shape or structure where that is wrong, else `title`."""
    assert case.difference is not None
    if case.difference.places or "elements" in case.difference.says:
        return title
    says = case.difference.says
    if says.startswith("expected shape"):
        return f"Wrong shape: {says}"
    return f"{title}: {says}" if len(says) <= LONGEST_TITLE else title


def _gradient_problem(
    ours: PropertyFacts, theirs: PropertyFacts, tolerance: Tolerance | None, finite: bool
) -> Problem | None:
    def judge(expected: Tree, actual: Tree) -> Difference | None:
        difference = find_non_finite(actual) if finite else None
        difference = difference or compare(expected, actual, tolerance)
        return difference or compare_types(expected, actual, weak=False)

    title = "Wrong gradient"
    plain = _first_problem(_answers(ours, theirs), judge, "gradient", title)
    if plain is not None:
        return plain
    eager = _non_finite_problem(ours, ours.eager, EAGER)
    if eager is not None:
        return eager
    what = "gradient, its terms weighted by cos(1), cos(2), …,"
    return _first_problem(_answers(ours, theirs, "weighted"), judge, what, title)


def _primal_problem(
    ours: PropertyFacts, theirs: PropertyFacts, tolerance: Tolerance | None
) -> Problem | None:
    """Compare the answers that came with the gradients, which a rule of the function computes."""
    return _first_problem(
        _answers(ours, theirs, "primals"),
        lambda expected, actual: compare(expected, actual, tolerance),
        "answer under differentiation",
        "Wrong answer under differentiation",
    )


def _type_problem(ours: PropertyFacts, theirs: PropertyFacts, weak: bool) -> Problem | None:
    def judge(expected: Tree, actual: Tree) -> Difference | None:
        return compare_types(expected, actual, weak)

    problem = _first_problem(_answers(ours, theirs), judge, "answer", "Wrong type")
    if problem is None or problem.case is None:
        return problem
    return replace(
        problem, title=type_title(problem.case), relation=_conversion_text(problem.case, ours)
    )


def _conversion_text(case: CaseResult, ours: PropertyFacts) -> str:
    """Name the line that turns the expected dtype into the one that the answer has."""
    jaxpr = next(
        (
            jaxpr
            for said, jaxpr in zip(ours.inputs, ours.jaxprs, strict=False)
            if said == case.inputs
        ),
        None,
    )
    if jaxpr is None or case.expected is None or case.actual is None:
        return ""
    for place, leaves in enumerate(zip(case.expected.leaves, case.actual.leaves, strict=False)):
        wanted, got = (leaf.value for leaf in leaves)
        if isinstance(wanted, ArrayValue) and isinstance(got, ArrayValue):
            line = find_conversion(jaxpr, place, wanted.dtype, got.dtype)
            if wanted.dtype != got.dtype and line is not None:
                return f"Line {line} turns {wanted.dtype} into {got.dtype}."
    return ""


def type_title(case: CaseResult) -> str:
    """Head a wrong type: "Wrong dtype: expected float16[3], got float32[3]"."""
    assert case.difference is not None
    assert case.expected is not None
    assert case.actual is not None
    shapes = [
        [leaf.value.shape for leaf in tree.leaves if isinstance(leaf.value, ArrayValue)]
        for tree in (case.expected, case.actual)
    ]
    kind = "dtype" if shapes[0] == shapes[1] else "type"
    return f"Wrong {kind}: {case.difference.says}"


def _finite_problem(ours: PropertyFacts) -> Problem | None:
    per_call = max(len(ours.trees) // max(len(ours.inputs), 1), 1)
    for first, what in enumerate(("answer", "gradient")[:per_call]):
        problem = _non_finite_problem(ours, ours.trees[first::per_call], what)
        if problem is not None:
            return problem
    return _non_finite_problem(ours, ours.eager, EAGER)


def _non_finite_problem(ours: PropertyFacts, trees: Sequence[Tree], what: str) -> Problem | None:
    """Return the first call whose answer or gradient is not finite."""
    for place, tree in enumerate(trees):
        difference = find_non_finite(tree)
        if difference:
            inputs, reason = ours.inputs[place], (*ours.reasons, *[""] * (place + 1))[place]
            says = difference_text(difference)
            case = CaseResult(inputs, None, tree, False, False, says, difference, what, reason)
            return Problem(f"the {what} for {inputs}: {says}", case, f"The {what} is not finite")
    return None


def leak_text(leak: Leak) -> str:
    """Say what outlived its trace, in one line."""
    held = f" in {leak.path}" if leak.path else ""
    return f"a tracer of type {leak.aval} outlived the call{held}"
