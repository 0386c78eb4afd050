"""Lists the words in learners' names that rules read.

A name is a hint, not a fact: a word may silence a rule, and never makes an edit certain. Where only
names tell two programs apart, `tests/test_neutral_names.py` says so of the cause, with the reason.
"""

from __future__ import annotations

import re
from collections.abc import Iterable


def words_of(name: str) -> tuple[str, ...]:
    """Split a name, or the names in a text, into words: `evalKey_2` is `eval`, `key` and `2`."""
    return tuple(word.lower() for word in _WORD.findall(name))


_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")


def says(name: str, stems: Iterable[str]) -> bool:
    """Return whether a word of a name begins with one of some stems."""
    stems = tuple(stems)
    return any(word.startswith(stems) for word in words_of(name))


# ---------------------------------------------------------------- words that silence a rule

SHARED_KEYS = ("fixed", "shared", "common", "same", "eval", "test", "plot")
"""Of keys that are meant to be used more than once."""

REPEATABLE = ("init", "reset", "feature", "matrix", "weight", "basis", "project")
"""Of methods that return the same random numbers at each call."""

RANDOM_BITS = ("hash", "bits", "seed", "key", "rng", "random")
"""Of integers that stand for bits, and may wrap around."""

MASKS = ("mask", "pad", "unpad", "ignore", "valid", "invalid", "where", "drop", "dummy")
"""Of what marks ids that a lookup may get, though they are in no table."""

TRACE_COUNTERS = ("trac", "retrac", "compil", "recompil")
"""Of counters that are meant to count traces."""

SPREADS = ("var", "stderr", "sem", "std")
"""Of functions that estimate a spread, in which a mean is divided by the number of rows."""

SAMPLES = ("sample", "mc", "ensemble")
"""Of evaluations that average draws of dropout on purpose."""

SHIFTS = ("shift", "roll", "pad", "insert", "bos")
"""Of what moves tokens by one position, so that labels may be the inputs."""

EXAMPLES = ("x", "xs", "batch", "input", "example", "row", "point", "obs", "feature")
"""Of what is mapped over, and is not shared by all examples."""

GRAPHS = ("graph", "def", "static")
"""Of names for the first part of what `nnx.split` returns."""

# ---------------------------------------------------------------- words that choose what to propose

GRADIENTS = ("grad", "dloss", "dparams", "gs")
"""Of gradients, where nothing in the file uses them."""

# ---------------------------------------------------------------- words that a cause is about

AVERAGES = ("ema", "avg", "average", "polyak", "shadow", "slow")
"""Of numbers that keep an average: a mixture of two numbers may be anything else."""

MATRICES = ("weight", "matrix", "mat", "kernel", "basis", "rotation", "projection")
MATRIX_LETTERS = ("w", "W", "A", "M")
"""Of matrices that all examples share: rows of two tables may be multiplied on purpose."""
