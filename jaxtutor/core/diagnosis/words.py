"""Lists the words in learners' names that rules read.

A name is a hint, not a fact: a word may silence a rule, and never makes an edit certain. Where only
names tell two programs apart, `tests/test_neutral_names.py` says so of the cause, with the reason,
and what raised nothing is worth a look.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Set


def words_of(name: str) -> tuple[str, ...]:
    """Split a name, or the names in a text, into words: `evalKey_2` is `eval`, `key` and `2`."""
    return tuple(word.lower() for word in _WORD.findall(name))


_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")


def says(name: str, stems: Iterable[str]) -> bool:
    """Return whether a word of a name begins with one of some stems."""
    stems = tuple(stems)
    return any(word.startswith(stems) for word in words_of(name))


def has_word(name: str, words: Set[str]) -> bool:
    """Return whether a name has one of some words, whole."""
    return not words.isdisjoint(words_of(name))


# ---------------------------------------------------------------- words that silence a rule

SHARED_KEYS = ("fixed", "shared", "common", "same", "eval", "test", "plot")
"""Of keys that are meant to be used more than once."""

REPEATABLE = ("init", "reset", "feature", "matrix", "weight", "basis", "project")
"""Of methods that return the same random numbers at each call."""

RANDOM_BITS = ("hash", "bits", "seed", "key", "subkey", "rng", "random")
"""Of integers that stand for bits, and may wrap around."""

MASKS = ("mask", "pad", "unpad", "ignore", "valid", "invalid", "where", "drop", "dummy")
"""Of what marks ids that a lookup may get, though they are in no table."""

TRACE_COUNTERS = ("trac", "retrac", "compil", "recompil")
"""Of counters that are meant to count traces."""

SPREADS = frozenset("var variance stderr sem std".split())
"""Of functions that estimate a spread, in which a mean is divided by the number of rows."""

SAMPLES = ("mc", "sample", "uncertain", "ensemble", "posterior", "stochastic")
"""Of functions that draw from a model on purpose, for which dropout stays on."""

SHIFTS = ("shift", "roll", "pad", "insert", "bos")
"""Of what moves tokens by one position, so that labels may be the inputs."""

EXAMPLES = ("x", "xs", "batch", "input", "example", "row", "point", "obs", "feature")
"""Of what is mapped over, and is not shared by all examples."""

GRAPHS = ("graph", "def", "static")
"""Of names for the first part of what `nnx.split` returns."""

TASKS = ("task", "round", "fold", "restart", "cycle", "stage", "phase", "outer", "member", "trial")
"""Of loops that start again on purpose, and not over epochs."""

CONSTANT_KEYS = (
    "init", "make", "create", "build", "param", "weight", "feature", "basis", "project", "eval",
    "test", "valid", "data", "fixed", "determ", "hutch", "sketch", "main", "loader", "reset",
    "experiment", "trial", "simul", "estimat", "reference", "plot",
)  # fmt: skip
"""Of functions that may make the same random numbers at each call."""

KEPT_ARRAYS = frozenset(
    "mean std var stats stat running min max mask count step total sum buffer cache history".split()
)
"""Of arrays of a model that hold something other than weights."""

LOADING = ("restore", "load", "from_")
"""Of functions that may bring weights and statistics which were trained elsewhere."""

UNREAD = frozenset("unused dummy ignored placeholder args t time ts step epoch i it".split())
"""Whole names of parameters that a function takes to be called like others, and need not read."""

# ---------------------------------------------------------------- words that choose what to propose

GRADIENTS = ("grad", "dloss", "dparams", "gs")
"""Of gradients, where nothing in the file uses them."""

KEYS = ("key", "subkey", "rng")
"""Of the random key, where several arguments could be the key."""

# ---------------------------------------------------------------- words that a cause is about

TIMES = frozenset({"t", "time", "tau", "ts", "t_"})
"""Whole names of the time, which a solver passes at a fixed position."""

CHILDREN = ("child", "leaves")
"""Of the arrays of a registered class."""

METADATA = ("aux", "meta", "static")
"""Of the other parts of a registered class."""

AVERAGES = frozenset("ema avg average averaged polyak shadow slow".split())
"""Of numbers that keep an average: a mixture of two numbers may be anything else."""

MATRICES = frozenset("w W A M weight weights matrix mat kernel basis rotation projection".split())
"""Whole names of shared matrices: rows of two tables may be multiplied on purpose."""

TRAINING_FLAGS = frozenset("train training is_training is_train".split())
"""Whole names of flags that are true in training."""

EVALUATION_FLAGS = frozenset(
    "deterministic eval evaluate evaluating is_eval inference eval_mode is_test testing".split()
)
"""Whole names of flags that are true in an evaluation."""

EVALUATIONS = frozenset("eval evaluate evaluation test validate validation accuracy".split())
"""Of functions that evaluate a model: a loss without gradients may be a record of training."""

LABELS = re.compile(r"(?i)^ys?$|^y_|_y$|(^|_)(labels?|targets?|answers?)(_|\d|$)")
"""Of arrays that have a row for each row of the inputs."""

NEXT = frozenset(("new", "next", "updated"))
"""Of the next state of a loop: other results may be computed from a state that stays."""
