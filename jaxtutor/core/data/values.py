"""Defines values as data that can be compared, drawn and sent over a pipe."""

from __future__ import annotations

from math import prod

from msgspec import Struct

_SIZES = {"?": 1, "b": 1, "B": 1, "h": 2, "H": 2, "i": 4, "I": 4, "q": 8, "Q": 8, "f": 4, "d": 8}
"""Bytes of one number by its `struct` character."""


class ArrayValue(Struct, frozen=True, tag="array"):
    """An array by value. `data` are its bytes in C order; None if abstract or larger than the cap.

    `format` is the `struct` character of one number in `data` (narrow floats are sent as `f`).
    Complex numbers are sent as pairs of `f` or `d`; `pairs` is then True.
    """

    shape: tuple[int, ...]
    dtype: str
    weak: bool
    format: str = "f"
    pairs: bool = False
    data: bytes | None = None

    def __post_init__(self) -> None:
        """Raise ValueError for bytes that are not such an array: they come from a submission."""
        if self.data is None:
            return
        size = _SIZES.get(self.format, 0) * (2 if self.pairs else 1)
        if not size or len(self.data) != prod(self.shape) * size:
            raise ValueError(f"{len(self.data)} bytes are not an array of shape {self.shape}")


class AtomValue(Struct, frozen=True, tag="atom"):
    """A value that is not an array: the name of its class and a capped `repr`."""

    kind: str
    text: str


class Leaf(Struct, frozen=True):
    """One leaf of a pytree; `path` is formatted by JAX's `keystr`."""

    path: str
    value: ArrayValue | AtomValue


class Tree(Struct, frozen=True):
    """A pytree of values; `structure` is its treedef, as text."""

    structure: str
    leaves: tuple[Leaf, ...]
