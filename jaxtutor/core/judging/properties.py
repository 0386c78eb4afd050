"""Owns the judging of one property: what was measured on the submission against the solution."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from jaxtutor.core import vocabulary as words
from jaxtutor.core.data.model import CaseResult, Difference, Leak, PropertyFacts, Tree
from jaxtutor.core.judging.compare import (
    Tolerance,
    compare,
    compare_types,
    difference_text,
    find_non_finite,
)


class Problem(Struct, frozen=True):
    """What is wrong, in words, and the call that shows it, where one does."""

    says: str
    case: CaseResult | None = None


def judge_property(
    ours: PropertyFacts, theirs: PropertyFacts, tolerance: Tolerance | None
) -> Problem | None:
    """Return what is wrong with one property, or None."""
    match theirs.property:
        case words.Gradient(finite=finite):
            return next(_gradient_problems(ours, theirs, tolerance, finite), None)
        case words.Vmap():
            return next(_value_problems(ours, theirs, tolerance, "batched answer"), None)
        case words.Types(weak=weak):
            return next(_type_problems(ours, theirs, weak), None)
        case words.Finite():
            return next(_finite_problems(ours), None)
        case _:
            says = _judge_plainly(ours, theirs)
            return Problem(says) if says else None


def _judge_plainly(ours: PropertyFacts, theirs: PropertyFacts) -> str:
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
            return f"the jaxpr holds {', '.join(held)}" if held else ""
        case words.LargestIntermediate(at_most=most) | words.NoConstants(at_most=most):
            largest = ours.counts["largest"]
            return "" if largest <= most else f"one has {largest:,} elements; {most:,} are enough"
        case words.Sharded():
            return _judge_shardings(ours.names, theirs.names)
        case words.Custom():
            return ours.problem
    return ""  # KeysOnce: a key used twice raises, and has been judged as a failure


def _judge_traces(counts: dict[str, int], times: int) -> str:
    seen, calls = counts["traces"], counts["calls"]
    if seen == times:
        return ""
    if not seen:
        return f"it was never traced over {calls} calls; asked for is {_times(times)}"
    return f"it was traced {_times(seen)} over {calls} calls; asked for is {_times(times)}"


def _times(count: int) -> str:
    return {1: "once", 2: "twice"}.get(count, f"{count} times")


def _judge_growth(counts: dict[str, int], factor: float) -> str:
    items = [(key.partition(":")[2], count) for key, count in counts.items()]
    (small, few), (large, many) = items[0], items[-1]
    if many <= few * factor:
        return ""
    return f"{few} equations for {small}, {many} for {large}"


def _not_used(asked: tuple[str, ...], names: tuple[str, ...]) -> str:
    return f"the jaxpr holds no {' or '.join(asked)}; it holds {', '.join(names) or 'nothing'}"


def _judge_shardings(ours: tuple[str, ...], theirs: tuple[str, ...]) -> str:
    if len(ours) != len(theirs):
        return f"the answers have {len(ours)} arrays, asked for are {len(theirs)}"
    pairs = zip(theirs, ours, strict=True)
    return next((f"it lies {got}, asked for is {want}" for want, got in pairs if want != got), "")


# ---------------------------------------------------------------- properties of answers


def _triples(ours: PropertyFacts, theirs: PropertyFacts) -> Iterator[tuple[str, Tree, Tree]]:
    return zip(ours.inputs, theirs.trees, ours.trees, strict=True)


def _value_problems(
    ours: PropertyFacts, theirs: PropertyFacts, tolerance: Tolerance | None, what: str
) -> Iterator[Problem]:
    for inputs, expected, actual in _triples(ours, theirs):
        difference = compare(expected, actual, tolerance)
        if difference:
            yield _problem(what, inputs, expected, actual, difference)


def _gradient_problems(
    ours: PropertyFacts, theirs: PropertyFacts, tolerance: Tolerance | None, finite: bool
) -> Iterator[Problem]:
    for inputs, expected, actual in _triples(ours, theirs):
        difference = find_non_finite(actual) if finite else None
        difference = difference or compare(expected, actual, tolerance)
        difference = difference or compare_types(expected, actual, weak=False)
        if difference:
            yield _problem("gradient", inputs, expected, actual, difference)


def _type_problems(ours: PropertyFacts, theirs: PropertyFacts, weak: bool) -> Iterator[Problem]:
    for inputs, expected, actual in _triples(ours, theirs):
        difference = compare_types(expected, actual, weak)
        if difference:
            yield _problem("answer", inputs, expected, actual, difference)


def _finite_problems(ours: PropertyFacts) -> Iterator[Problem]:
    per_call = len(ours.trees) // max(len(ours.inputs), 1)
    for index, tree in enumerate(ours.trees):
        difference = find_non_finite(tree)
        if difference:
            what = "gradient" if index % per_call else "answer"
            yield _problem(what, ours.inputs[index // per_call], None, tree, difference)


def _problem(
    what: str, inputs: str, expected: Tree | None, actual: Tree, difference: Difference
) -> Problem:
    says = difference_text(difference)
    case = CaseResult(inputs, expected, actual, False, False, says, difference, what)
    return Problem(f"the {what} for {inputs}: {says}", case)


def leak_text(leak: Leak) -> str:
    """Say what outlived its trace, in one line."""
    held = f" in {leak.path}" if leak.path else ""
    return f"a tracer of type {leak.aval} outlived the call{held}"
