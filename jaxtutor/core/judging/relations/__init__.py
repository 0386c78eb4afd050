"""Finds the one relation between wrong answers and expected ones that holds over every call.

An answer is often wrong in a way that has a name: divided by the number of rows, transposed, one
step late, swapped with its neighbour. A relation is reported only when it holds for every number of
every call, when at least `LEAST_EVIDENCE` numbers speak for it, and when no other relation of its
kind explains the calls as well. Otherwise there is no relation.
"""

from __future__ import annotations

from collections.abc import Sequence

from jaxtutor.core.judging.relations.arguments import (
    find_axis,
    find_change,
    find_unchanged,
)
from jaxtutor.core.judging.relations.calls import (
    LEAST_CALLS,
    LEAST_EVIDENCE,
    ComparedCall,
    Comparison,
    Finder,
    HoldingRelation,
    Relation,
    are_equal,
    calls_words,
    is_too_large,
    keep_wrong_leaves,
    read_call,
)
from jaxtutor.core.judging.relations.moved import (
    find_axis_order,
    find_cut,
    find_extra,
    find_joined,
    find_moves,
    find_pairs,
    find_shape,
    find_shift,
)
from jaxtutor.core.judging.relations.partly_right import (
    find_arithmetic,
    find_calls,
    find_conditional,
)
from jaxtutor.core.judging.relations.reordered import find_order, find_permutation
from jaxtutor.core.judging.relations.scaling import (
    find_constant,
    find_function,
    find_offset,
    find_scale,
)
from jaxtutor.core.judging.relations.structure import (
    find_leaf_count,
    find_listed,
    find_part,
    find_swap,
    find_swapped_parts,
    is_right,
)

__all__ = ["Comparison", "Relation", "find_relation"]

_WHOLE = (find_unchanged, find_constant)
_ORDERED = (find_order,)
_TRANSFORMED = (
    find_scale,
    find_offset,
    find_function,
    find_axis_order,
    find_moves,
    find_joined,
    find_pairs,
    find_extra,
    find_shift,
    find_shape,
    find_axis,
)
_REORDERED = (find_permutation,)
_CHANGED = (find_change,)
_COMBINED = (find_cut, find_arithmetic)
_CONDITIONAL = (find_conditional,)
_BY_CALL = (find_calls,)
_STAGES = (
    _WHOLE,
    _ORDERED,
    _TRANSFORMED,
    _REORDERED,
    _CHANGED,
    _COMBINED,
    _CONDITIONAL,
    _BY_CALL,
)
"""Groups of relations, the most telling first; within a group, only one may hold."""
_OF_WRONG_CALLS = (
    _WHOLE,
    _ORDERED,
    (find_axis_order, find_moves, find_pairs, find_shape, find_axis),
)
"""Relations for the wrong calls alone, where others are right: none of them fits a number."""


def find_relation(comparisons: Sequence[Comparison], what: str = "answer") -> Relation | None:
    """Return the relation that holds over all calls, or None where none or several do.

    `what` names what was compared: "answer", "gradient", "batched answer".
    """
    built = _find_structure(comparisons, what)
    if built is not None:
        return built
    small = [item for item in comparisons if not is_too_large(item)]
    calls = [read_call(item) for item in small]
    known = [call for call in calls if call is not None]
    if not known or len(known) < len(calls):
        return None
    is_all = len(small) == len(comparisons)
    swapped = find_swap(known, what)
    if swapped is not None:
        return swapped
    known, part = keep_wrong_leaves(known)
    if not all(call.pairs for call in known):
        return None
    subject = f"{part} of your {what}" if part else f"your {what}"
    found = _search(known, _STAGES)
    if found:
        return _say(found, calls_words(len(known)) if is_all else _small_words(known), subject)
    wrong = [call for call in known if not all(are_equal(*pair) for pair in call.pairs)]
    if is_all and LEAST_CALLS <= len(wrong) < len(known):
        found = _search(wrong, _OF_WRONG_CALLS)
        return _say(found, f"In the {len(wrong)} calls with a wrong answer,", subject)
    return None


def _small_words(calls: list[ComparedCall]) -> str:
    """Return how a sentence begins that leaves out the calls with large arrays."""
    count = len(calls)
    return f"In the {count} calls with small arrays" if count > 1 else "In the smallest call"


def _find_structure(comparisons: Sequence[Comparison], what: str) -> Relation | None:
    """Return what holds of the structure in every call, or in every wrong one."""
    for find in (find_part, find_swapped_parts, find_listed, find_leaf_count):
        built = find(comparisons, what)
        if built is not None:
            return built
    wrong = [item for item in comparisons if not is_right(item)]
    if not LEAST_CALLS <= len(wrong) < len(comparisons):
        return None
    for find in (find_part, find_listed):
        built = find(wrong, what)
        if built is not None:
            rest = built.says.removeprefix(calls_words(len(wrong)))
            return Relation(built.kind, f"In the {len(wrong)} calls with a wrong answer,{rest}")
    return None


def _search(calls: list[ComparedCall], stages: Sequence[Sequence[Finder]]) -> list[HoldingRelation]:
    """Return what the first stage finds that finds anything."""
    for finders in stages:
        found = [one for find in finders for one in find(calls)]
        strong = [one for one in found if one.evidence >= LEAST_EVIDENCE]
        if strong:
            return strong
    return []


def _say(found: list[HoldingRelation], where: str, subject: str) -> Relation | None:
    """Put the only relation into a sentence; several explain nothing."""
    if len({one.kind for one in found}) != 1:
        return None
    return Relation(found[0].kind, f"{where} {subject} {found[0].says}.")
