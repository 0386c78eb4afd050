"""Compares two runs of a script: what they printed, and the values of their variables."""

from __future__ import annotations

import re
from collections.abc import Collection
from itertools import count
from math import isclose

from msgspec import Struct
from msgspec.structs import replace

from jaxtutor.core.data.facts import ScriptFacts
from jaxtutor.core.data.values import ArrayValue, Leaf, Tree
from jaxtutor.core.judging.compare import compare

_NUMBER = re.compile(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?")
_PRINTED = re.compile(rf"{_NUMBER.pattern}|[-+]?\b(?:nan|inf)\b")
_ADDRESS = re.compile(r" at 0x[0-9a-fA-F]+")
"""Where an object is in memory, in its `repr`: another place in each run, and no result."""
RELATIVE = 1e-4
ABSOLUTE = 1e-5


class Varying(Struct, frozen=True):
    """What differs from run to run of one program, such as times: variables, and numbers printed.

    `numbers` are the places of the latter among all numbers in the text.
    """

    names: frozenset[str] = frozenset()
    numbers: frozenset[int] = frozenset()

    def drop_from(self, text: str) -> str:
        """Return a text without the numbers that vary, and without whole numbers."""
        places = count()
        return _NUMBER.sub(
            lambda n: n[0] if next(places) not in self.numbers and "." in n[0] else "", text
        )


def varying(first: ScriptFacts, second: ScriptFacts, prints: tuple[str, str]) -> Varying | None:
    """Compare two runs of one program; None where more than numbers varies, or nothing."""
    texts = [_ADDRESS.sub("", text) for text in prints]
    if _bare(_NUMBER.sub("#", texts[0])) != _bare(_NUMBER.sub("#", texts[1])):
        return None
    pairs = zip(*map(_NUMBER.findall, texts), strict=True)
    numbers = frozenset(n for n, pair in enumerate(pairs) if not _is_near(*pair))
    others = dict(second.names)
    names = frozenset(
        name
        for name, tree in first.names
        if name not in others or not same_value(tree, others[name])
    )
    return Varying(names, numbers) if names or numbers else None


def agree(
    expected: ScriptFacts,
    actual: ScriptFacts,
    prints: tuple[str, str],
    edited: Collection[str] = (),
    vary: Varying | None = None,
) -> bool:
    """Return whether both ended alike, with equal names, and printed the same up to rounding.

    A name whose own assignment was `edited` may be floating where it was integer: `h = 0.0`.
    What varies in any two runs is left out.
    """
    vary = vary or Varying()
    if expected.exit_status != actual.exit_status or not same_text(*prints, vary.numbers):
        return False
    theirs = {name: tree for name, tree in expected.names if name not in vary.names}
    ours = dict(actual.names)
    if not theirs.keys() <= ours.keys():
        return False
    return all(
        same_value(tree, ours[name], may_widen=name in edited) for name, tree in theirs.items()
    )


def differ_in_numbers(before: ScriptFacts, after: ScriptFacts, prints: tuple[str, str]) -> bool:
    """Return whether two runs differ in nothing but numbers, printed or in their variables.

    Structures, shapes and dtypes are the same; the second run may have further variables.
    """
    if before.exit_status != after.exit_status:
        return False
    texts = [_bare(_PRINTED.sub("#", _ADDRESS.sub("", text))) for text in prints]
    names = dict(after.names)
    return texts[0] == texts[1] and all(
        name in names and _same_types(_without_addresses(tree), _without_addresses(names[name]))
        for name, tree in before.names
    )


def _same_types(before: Tree, after: Tree) -> bool:
    """Compare structures, shapes and dtypes, and what is not an array by value."""
    if before.structure != after.structure or len(before.leaves) != len(after.leaves):
        return False
    pairs = [(a.value, b.value) for a, b in zip(before.leaves, after.leaves, strict=True)]
    return all(
        a.shape == b.shape and a.dtype == b.dtype
        if isinstance(a, ArrayValue) and isinstance(b, ArrayValue)
        else a == b
        for a, b in pairs
    )


def same_value(expected: Tree, actual: Tree, may_widen: bool = False) -> bool:
    """Compare structures, shapes, dtypes and numbers; weak types may differ."""
    expected, actual = _without_addresses(expected), _without_addresses(actual)
    if compare(expected, actual) is not None:
        return False
    if may_widen and all(map(_is_widened, expected.leaves, actual.leaves)):
        return True
    return all(map(_same_dtype, expected.leaves, actual.leaves))


def _without_addresses(tree: Tree) -> Tree:
    """Return a tree whose structure has no addresses: a `TrainState` names its functions there."""
    return replace(tree, structure=_ADDRESS.sub("", tree.structure))


def _is_widened(expected: Leaf, actual: Leaf) -> bool:
    """Return whether integers became floats, or nothing changed."""
    wanted, got = expected.value, actual.value
    if not isinstance(wanted, ArrayValue) or not isinstance(got, ArrayValue):
        return True
    return wanted.dtype == got.dtype or (wanted.dtype[:3] == "int" and got.dtype[:5] == "float")


def _same_dtype(expected: Leaf, actual: Leaf) -> bool:
    """Compare dtypes; a number of Python's has that of any scalar of its kind."""
    wanted, got = expected.value, actual.value
    if not isinstance(wanted, ArrayValue) or not isinstance(got, ArrayValue):
        return True
    if wanted.dtype == got.dtype:
        return True
    names = {wanted.dtype.rstrip("0123456789"), got.dtype.rstrip("0123456789")}
    return len(names) == 1 and bool({wanted.dtype, got.dtype} & {"bool", "int", "float", "complex"})


def same_text(expected: str, actual: str, leaving_out: Collection[int] = ()) -> bool:
    """Compare words exactly and numbers nearly; arrays are spaced by width, so spaces are not."""
    expected, actual = _ADDRESS.sub("", expected), _ADDRESS.sub("", actual)
    if _bare(_NUMBER.sub("#", expected)) != _bare(_NUMBER.sub("#", actual)):
        return False
    pairs = zip(_NUMBER.findall(expected), _NUMBER.findall(actual), strict=True)
    return all(n in leaving_out or _is_near(*pair) for n, pair in enumerate(pairs))


def _is_near(first: str, second: str) -> bool:
    return isclose(float(first), float(second), rel_tol=RELATIVE, abs_tol=ABSOLUTE)


def _bare(text: str) -> str:
    return "".join(text.split())
