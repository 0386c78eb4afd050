"""Checks for column-stats."""

import numpy as np

from jaxtutor.core.vocabulary import Call, Gradient, SameSize, Types

EXAMPLES = [
    Call(np.array([[1.0, 10.0], [3.0, 30.0]], np.float32)).gives([[-1.0, -1.0], [1.0, 1.0]]),
    Call(np.array([[0.0], [0.0], [3.0], [3.0]], np.float32)).gives([[-1.0], [-1.0], [1.0], [1.0]]),
]


def table(rows, columns):
    """Return a table of random numbers."""
    return np.random.default_rng(rows).normal(size=(rows, columns)).astype(np.float32)


def hidden(rng):
    """Yield a square table, others, and columns with a tiny spread."""
    yield Call(rng.normal(2.0, 3.0, size=(3, 3)).astype(np.float32)).when("a square table")
    yield Call(rng.normal(2.0, 3.0, size=(4, 3)).astype(np.float32))
    small = rng.normal(size=(5, 3)) * np.array([1e-4, 1.0, 1e3])
    yield Call(small.astype(np.float32)).when("columns of very different spread")
    yield Call(rng.normal(size=(4, 1)).astype(np.float32)).when("a single column")


PROPERTIES = [
    Types([Call(table(3, 5))], says="3 rows and 5 columns stay 3 rows and 5 columns."),
    SameSize(
        [Call(table(4, 2)), Call(table(4, 20))], says="20 columns take no more equations than 2."
    ),
    Gradient([Call(table(4, 3))], says="Its gradient with respect to m is right."),
]
