"""Defines what is known of a value without running the program: its kind."""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum, auto


class ValueKind(Enum):
    """What an expression surely is."""

    ARRAY = auto()
    """A JAX array, traced or not."""
    TREE = auto()
    """Traced: an array, or a container of arrays."""
    TRACED = auto()
    """A traced array."""
    MASK = auto()
    """A traced array of bools."""
    DIFFERENTIATED = auto()
    """What a gradient is taken of: Python may know its value, but cannot convert it."""
    PARTS = auto()
    """A list, a tuple or a generator with something traced in it."""


TRACED = frozenset({ValueKind.TREE, ValueKind.TRACED, ValueKind.MASK})
TRACED_ARRAYS = frozenset({ValueKind.TRACED, ValueKind.MASK})
ARRAYS = TRACED_ARRAYS | {ValueKind.ARRAY}

CONVERTED = TRACED | {ValueKind.DIFFERENTIATED, ValueKind.PARTS}
"""What NumPy would convert, and cannot."""

Kinds = dict[str, ValueKind]


def join(one: ValueKind | None, other: ValueKind | None) -> ValueKind | None:
    """Return what a value surely is that is one or the other."""
    if one is other:
        return one
    if one in TRACED_ARRAYS and other in TRACED_ARRAYS:
        return ValueKind.TRACED
    if one in TRACED and other in TRACED:
        return ValueKind.TREE
    return ValueKind.ARRAY if one in ARRAYS and other in ARRAYS else None


def combined(kinds: Iterable[ValueKind | None]) -> ValueKind | None:
    """Return the kind of what arithmetic makes of some operands."""
    given = set(kinds)
    if given & TRACED_ARRAYS or (ValueKind.TREE in given and ValueKind.ARRAY in given):
        return ValueKind.TRACED
    order = (ValueKind.TREE, ValueKind.DIFFERENTIATED, ValueKind.ARRAY)
    return next((kind for kind in order if kind in given), None)
