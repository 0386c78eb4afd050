"""Finds answers whose parts are swapped, or which hold one array too many or too few."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from jaxtutor.core.data.values import Tree
from jaxtutor.core.judging.relations.calls import (
    LEAST_EVIDENCE,
    ComparedCall,
    Comparison,
    NumberArray,
    Relation,
    are_equal,
    arrays_of,
    calls_words,
    count_differing,
    first_key,
)


def find_swap(calls: list[ComparedCall], what: str) -> Relation | None:
    """Detect two leaves that stand in each other's place."""
    count = len(calls[0].pairs)
    if count < 2 or any(len(call.pairs) != count for call in calls):
        return None
    for i in range(count):
        for j in range(i + 1, count):
            shown = [_swapped(call, i, j) for call in calls]
            if None not in shown and sum(filter(None, shown)) >= LEAST_EVIDENCE:
                first, second = (calls[0].pairs[n][0].path for n in (i, j))
                several = f"all {len(calls)} calls" if len(calls) > 1 else "this call"
                return Relation(
                    "swapped", f"In {several} `{first}` and `{second}` of your {what} are swapped."
                )
    return None


def _swapped(call: ComparedCall, i: int, j: int) -> int | None:
    for n, (_, actual) in enumerate(call.pairs):
        wanted = call.pairs[{i: j, j: i}.get(n, n)][0]
        if not are_equal(wanted, actual):
            return None
    first, second = call.pairs[i][0], call.pairs[j][0]
    if first.shape != second.shape:
        return len(first.values) + len(second.values)
    return 2 * count_differing(first.values, second.values, first.dtype)


def find_swapped_parts(comparisons: Sequence[Comparison], what: str) -> Relation | None:
    """Detect a pair whose two parts are swapped; each may hold many arrays."""
    shown, is_nested = 0, False
    for item in comparisons:
        wanted, got = _pair_parts(item.expected), _pair_parts(item.actual)
        if wanted is None or got is None:
            return None
        is_nested = is_nested or len(wanted[0] + wanted[1]) > 2
        for ours, theirs in zip(got, reversed(wanted), strict=True):
            if len(ours) != len(theirs) or not all(map(are_equal, theirs, ours)):
                return None
        shown += sum(len(array.values) for array in wanted[0])
        if len(wanted[0]) == len(wanted[1]) and all(map(are_equal, *wanted)):
            return None  # two equal parts: nothing shows that they are swapped
    if shown < LEAST_EVIDENCE or not is_nested:  # `find_swap` names two single arrays
        return None
    says = f"{calls_words(len(comparisons))} the two parts of your {what} are swapped."
    return Relation("swapped", says)


def _pair_parts(tree: Tree) -> tuple[list[NumberArray], list[NumberArray]] | None:
    """Return the arrays of both parts of a tuple of two; None for any other tree."""
    arrays = arrays_of(tree)
    if arrays is None or len(arrays) < 2:
        return None
    first, second = ([it for it in arrays if it.path.startswith(f"[{n}]")] for n in (0, 1))
    return (first, second) if first and second and len(first + second) == len(arrays) else None


def is_right(item: Comparison) -> bool:
    """Return whether an answer has the expected structure and numbers."""
    wanted, got = arrays_of(item.expected), arrays_of(item.actual)
    if wanted is None or got is None or len(wanted) != len(got):
        return False
    return all(a.path == b.path and are_equal(a, b) for a, b in zip(wanted, got, strict=True))


def find_part(comparisons: Sequence[Comparison], what: str) -> Relation | None:
    """Detect the expected answer as one part of the actual one, or the reverse."""
    is_inside = all(len(it.actual.leaves) >= len(it.expected.leaves) for it in comparisons)
    shared: set[str] | None = None
    shown = 0
    for item in comparisons:
        expected, actual = arrays_of(item.expected), arrays_of(item.actual)
        if expected is None or actual is None:
            return None
        whole, part = (actual, expected) if is_inside else (expected, actual)
        here = set(_keys_of_part(whole, part))
        shared = here if shared is None else shared & here
        shown += sum(len(array.values) for array in part)
    if shared is None or len(shared) != 1 or shown < LEAST_EVIDENCE:
        return None
    key = shared.pop()
    where = calls_words(len(comparisons))
    if is_inside:
        return Relation("part", f"{where} the expected {what} is `{key}` of what you return.")
    return Relation("part", f"{where} your {what} is only `{key}` of the expected one.")


def _keys_of_part(whole: list[NumberArray], part: list[NumberArray]) -> Iterator[str]:
    """Yield the keys of a tree under which another tree stands."""
    for key in {first_key(array.path) for array in whole} - {""}:
        below = [array for array in whole if array.path.startswith(key)]
        paths = [array.path.removeprefix(key) for array in below]
        is_same = paths == [array.path for array in part]
        if is_same and all(map(are_equal, below, part)):
            yield key


_PLACE = re.compile(r"(.*)\[(\d+)\]$")
"""The path of an item of a list or tuple: its container, and its index."""


_ITEM = re.compile(r"\[\d+\]$")


def find_listed(comparisons: Sequence[Comparison], what: str) -> Relation | None:
    """Detect one expected array that was returned as a list of the arrays along its first axis."""
    shown = 0
    for item in comparisons:
        wanted, rows = arrays_of(item.expected), arrays_of(item.actual)
        if wanted is None or not rows or len(wanted) != 1 or wanted[0].path:
            return None
        if not all(_ITEM.match(row.path) for row in rows):
            return None
        is_whole = wanted[0].shape == (len(rows), *rows[0].shape)
        values = tuple(value for row in rows for value in row.values)
        stacked = replace(wanted[0], values=values)
        if not is_whole or not are_equal(wanted[0], stacked):
            return None
        shown += len(values)
    if shown < LEAST_EVIDENCE:
        return None
    says = f"your {what} is a list of the expected array's rows: `jnp.stack` joins them into one"
    return Relation("listed", f"{calls_words(len(comparisons))} {says}.")


def find_leaf_count(comparisons: Sequence[Comparison], what: str) -> Relation | None:
    """Detect a list with one array more or less than expected, at one of its ends."""
    differences = {len(it.actual.leaves) - len(it.expected.leaves) for it in comparisons}
    if differences not in ({1}, {-1}):
        return None
    is_extra = differences == {1}
    places: set[tuple[str, str]] | None = None
    shown = 0
    for item in comparisons:
        longer, shorter = arrays_of(item.actual), arrays_of(item.expected)
        if longer is None or shorter is None:
            return None
        if not is_extra:
            longer, shorter = shorter, longer
        here = set(_surplus_ends(longer, shorter))
        places = here if places is None else places & here
        shown += sum(len(array.values) for array in shorter)
    if not places or shown < LEAST_EVIDENCE or len({path for path, _ in places}) > 1:
        return None
    (path, end), *others = sorted(places)
    name = f"`{path}` of your {what}" if path else f"your {what}"
    end = "" if others else end
    if is_extra:
        says = "holds one array too many" + (f", its {end} one" if end else "")
    else:
        says = f"lacks its {end} array" if end else "lacks an array"
    return Relation("array-count", f"{calls_words(len(comparisons))} {name} {says}.")


def _surplus_ends(
    longer: list[NumberArray], shorter: list[NumberArray]
) -> Iterator[tuple[str, str]]:
    """Yield the container and the end whose removal turns the longer list into the shorter."""
    for n, surplus in enumerate(longer):
        found = _PLACE.match(surplus.path)
        rest = longer[:n] + longer[n + 1 :]
        if found is None or not all(map(are_equal, rest, shorter)):
            continue
        container, index = found[1], int(found[2])
        siblings = [array.path for array in longer if array.path.startswith(f"{container}[")]
        if index == 0:
            yield container, "first"
        if index == len(siblings) - 1:
            yield container, "last"
