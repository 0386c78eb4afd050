"""Reads types as JAX writes them: the axes of `float32[8,3]`."""

from __future__ import annotations

import re


def axis_sizes(aval: str) -> list[str]:
    """List the sizes in a type: `"8"`, `"n"` of `float32[8,n]`; none of a scalar's `float32[]`."""
    return re.findall(r"\w+", aval.rpartition("[")[2])


def known_sizes(shape: str) -> list[int]:
    """List the sizes of a shape that are numbers: 8 and 3 of `(8, 3)` and of `8,3`."""
    return [int(size) for size in re.findall(r"\d+", shape)]


def rank(aval: str) -> int:
    """Count the axes of a type: 2 for `float32[8,3]`, 0 for `float32[]`."""
    shape = aval.partition("[")[2].rstrip("]")
    return shape.count(",") + 1 if shape else 0
