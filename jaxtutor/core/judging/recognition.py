"""Recognises a wrong submission by its answers: they are those of a known mistake.

The author of a lesson knows the misconception behind each known mistake, and has written a sentence
for it. The sentence applies if the submission gave the same answers on every call as one group of
known mistakes, and failed the same check. If a few calls differ and enough wrong answers are the
same, it is given with their number: a learner who divides by the wrong number may still guard an
empty array, but "every row" in a sentence would be false of a function that is right for some. A
check that compares no numbers, such as one that counts traces, can fail for many reasons: there the
sentence applies only if the lesson knows one reason.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from msgspec import Struct

from jaxtutor.core.data.values import ArrayValue, Tree
from jaxtutor.core.data.verdicts import CheckResult, Verdict
from jaxtutor.core.judging.compare import Number, Tolerance, compare, compare_types, numbers

_DECIMAL = re.compile(r"\d\.\d")
"""A measured number in the words of a lesson's own check."""


MOST_DIFFERING = 0.25
"""Share of the calls in which two submissions with one misconception may differ."""

_NEARLY = "On {} of {} calls, your answer is the same as with this mistake: {}"

_SLIP = "Your answers are those of a right program in which {}."

LEAST_SHARED = 3
"""Different wrong answers that two such submissions have in common."""

LEAST_WRONG = 2
"""Different wrong answers that show a slip; a single one has many reasons."""


class Answers(Struct, frozen=True):
    """What a wrong submission answered: the check it failed, and its values for every call.

    `values` are the answers of the examples and hidden calls, `wrong` says which of them are wrong,
    and `shown` is the place of the one that the learner sees. `measured` are the answers of the
    failed property. `detail` is what the check said, for a check that compares no values.
    """

    check: str
    values: tuple[Tree | None, ...]
    measured: tuple[Tree, ...]
    detail: str
    wrong: tuple[bool, ...] = ()
    shown: int = -1


class KnownMistake(Struct, frozen=True):
    """A known wrong submission: its answers, and the sentence for learners who answer alike."""

    name: str
    says: str
    answers: Answers


def read_answers(verdict: Verdict) -> Answers | None:
    """Return what a failed submission answered; None if it passed, raised or did not end."""
    failed = next((check for check in verdict.checks if check.status == "failed"), None)
    if verdict.status != "failed" or failed is None:
        return None
    values = tuple(case.actual for case in verdict.cases)
    wrong = tuple(not case.passed for case in verdict.cases)
    inputs = [case.inputs for case in verdict.cases]
    shown = inputs.index(failed.case.inputs) if failed.case and failed.case.inputs in inputs else -1
    return Answers(failed.name, values, failed.answers, _detail(failed), wrong, shown)


def _detail(failed: CheckResult) -> str:
    """Return the words of a check that shows no call: those say what was measured."""
    return failed.detail if failed.case is None else ""


def recognise(
    answers: Answers,
    known: Iterable[KnownMistake],
    tolerance: Tolerance | None = None,
    slips: Iterable[KnownMistake] = (),
) -> str:
    """Return the sentence of the known mistakes that answer alike, if it is one sentence.

    `slips` are changes to the solution, in the order in which their sentences help. Where several
    answer alike, the first is as true as the others.
    """
    same_check = [it for it in known if it.answers.check == answers.check]
    alike = [it for it in same_check if is_same(answers, it.answers, tolerance)]
    slip = None if alike else _find_slip(answers, slips, tolerance)
    if slip is not None:
        return _SLIP.format(slip.says)
    if alike:
        sentences = {it.says for it in (alike if is_telling(answers) else same_check)}
    else:
        alike = [it for it in same_check if is_nearly_same(answers, it.answers, tolerance)]
        sentences = {it.says for it in alike}
        same = max((_count_same(answers, it.answers, tolerance) for it in alike), default=0)
        sentences = {_NEARLY.format(same, len(answers.values), says) for says in sentences}
    return sentences.pop() if len(sentences) == 1 else ""


def _find_slip(
    answers: Answers, slips: Iterable[KnownMistake], tolerance: Tolerance | None
) -> KnownMistake | None:
    """Return the first slip with the same answers; enough of the wrong ones must say something."""
    pairs = zip(answers.values, answers.wrong, strict=False)
    wrong = {_numbers(tree) for tree, is_wrong in pairs if is_wrong and tree is not None}
    if len(wrong - {()}) < LEAST_WRONG:
        return None
    return next((it for it in slips if is_same(answers, it.answers, tolerance)), None)


def is_telling(answers: Answers) -> bool:
    """Return whether the answers hold numbers that tell one mistake from another."""
    is_compared = answers.check == "values" or bool(answers.measured)
    return is_compared or _DECIMAL.search(answers.detail) is not None


def is_same(one: Answers, other: Answers, tolerance: Tolerance | None = None) -> bool:
    """Return whether two submissions failed the same check with the same answers to every call."""
    if (one.check, one.detail) != (other.check, other.detail):
        return False
    pairs = [(one.values, other.values), (one.measured, other.measured)]
    if any(len(mine) != len(theirs) for mine, theirs in pairs):
        return False
    return all(
        _is_same_tree(a, b, tolerance)
        for mine, theirs in pairs
        for a, b in zip(mine, theirs, strict=True)
    )


def is_nearly_same(one: Answers, other: Answers, tolerance: Tolerance | None = None) -> bool:
    """Return whether most calls have the same wrong answer, and enough of these say something."""
    if one.check != other.check or len(one.values) != len(other.values):
        return False
    wrong = [n for n, is_wrong in enumerate(one.wrong) if is_wrong]
    differing = [
        n
        for n, pair in enumerate(zip(one.values, other.values, strict=True))
        if not _is_same_tree(*pair, tolerance)
    ]
    shared = [one.values[n] for n in wrong if n not in differing]
    return (
        len(differing) <= MOST_DIFFERING * len(one.values)
        and one.shown not in differing
        and len({_numbers(tree) for tree in shared if tree is not None} - {()}) >= LEAST_SHARED
    )


def _count_same(one: Answers, other: Answers, tolerance: Tolerance | None) -> int:
    """Count the calls that have the same answer."""
    pairs = zip(one.values, other.values, strict=True)
    return sum(_is_same_tree(*pair, tolerance) for pair in pairs)


def _numbers(tree: Tree) -> tuple[Number, ...]:
    """Return the numbers of an answer that are neither 0 nor NaN; any mistake may return those."""
    held = [leaf.value for leaf in tree.leaves if isinstance(leaf.value, ArrayValue)]
    return tuple(
        value for it in held if it.data for value in numbers(it) if value and value == value
    )


def _is_same_tree(one: Tree | None, other: Tree | None, tolerance: Tolerance | None) -> bool:
    if one is None or other is None:
        return one is other
    # A weak type tells how an answer was written (`x` or `jnp.float32(x)`), not why it is wrong.
    if compare_types(one, other, weak=False) is not None:
        return False
    is_abstract = any(getattr(leaf.value, "data", b"") is None for leaf in one.leaves)
    return is_abstract or compare(one, other, tolerance) is None
