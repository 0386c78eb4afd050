"""Says what to look for, for each kind of relation between wrong answers and expected ones.

A relation says how the numbers differ. What a lesson says of wrong answers in general may be about
something that is right already, so this takes its place.
"""

from __future__ import annotations

from collections.abc import Mapping

_ORDER = (
    "The numbers are right, and their order is not. Look at the line that puts them together, such "
    "as `stack`, `concatenate` or `reshape`, and at the order of what it is given."
)
_ROUNDING = "Look for `//`, for a rounding, or for a conversion to whole numbers."
_END = "Look for a loop or a slice that begins or ends one place off."

ADVICE: Mapping[str, str] = {
    "scaled": (
        "Every number has the same factor. Look for a factor or a division that is missing or made "
        "twice, or for a sum in the place of a mean."
    ),
    "opposite": (
        "Every number has the wrong sign. Look for a difference that is taken the other way round, "
        "or for a minus sign too many or too few."
    ),
    "offset": (
        "Every number is off by the same amount. Look for a term that is missing or added twice, "
        "or for a count that begins at 1 and not at 0."
    ),
    "complement": "Look for two shares, such as `p` and `1 - p`, that are exchanged.",
    "exponential": "Look for an `exp` too many, or a logarithm that is missing.",
    "logarithm": "Look for a logarithm too many, or an `exp` that is missing.",
    "square": "Look for a square root that is missing, or a square too many.",
    "root": "Look for a square that is missing, or a square root too many.",
    "reciprocal": "Look for a division that is upside down.",
    "rounded": _ROUNDING,
    "truncated": _ROUNDING,
    "floored": _ROUNDING,
    "ceiled": _ROUNDING,
    "transposed": (
        "The numbers are right, and the axes are in another order. Look for two arguments that are "
        "exchanged, for a `.T`, or at `in_axes` and `out_axes`."
    ),
    "reversed": "Look for a loop or a slice that begins at the other end, or for `reverse`.",
    "mirrored": "Look for a loop or a slice that begins at the other end, or for `reverse`.",
    "late": (
        "Every number stands one place too far back. Look for an index that is off by one, or for "
        "a value that is stored before it is updated."
    ),
    "early": (
        "Every number stands one place too far to the front. Look for an index that is off by one, "
        "or for a value that is stored after the next update."
    ),
    "repeated": (
        "Every round computes what the first one does. Look at whether the body of the loop uses "
        "what it is given, or a name from outside of it."
    ),
    "repeated-last": (
        "Every place holds the last one. Look at where each round's value is kept: it has to be "
        "kept in that round."
    ),
    "paired": (
        "Each element met all of the others. Look for an axis too many in one of two operands, "
        "such as `(n, 1)` beside `(n,)`, or for a product that crosses two batches."
    ),
    "joined": "The parts are right. Look at the `axis` along which they are joined.",
    "permuted": _ORDER,
    "alternating": _ORDER,
    "separated": _ORDER,
    "halves-swapped": _ORDER,
    "last-first": _ORDER,
    "first-last": _ORDER,
    "first-missing": _END,
    "last-missing": _END,
    "first-extra": _END,
    "last-extra": _END,
    "unchanged": (
        "Nothing that the function computes reaches its answer. Look at which name it returns, and "
        "whether the result of each change is kept."
    ),
    "change": "The direction of the change is known. Look at its sign and at its factors.",
    "axis": "Look at the `axis` of the reduction.",
}
"""What to look for, by the kind of the relation."""

ABOUT_PLACES = frozenset(
    {"transposed", "late", "early", "joined", "first-missing", "last-missing", "axis"}
    | {kind for kind, says in ADVICE.items() if says == _ORDER}
)
"""Kinds whose numbers are right. What a lesson says of the meaning of its places fits as well."""
