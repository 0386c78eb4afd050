"""Checks for batched-outer."""

import numpy as np

from jaxtutor.core.vocabulary import Call, Gradient, SameSize, Traces, Types

A = np.array([[1.0, 2.0], [0.0, 1.0]], np.float32)
B = np.array([[1.0, 0.0, 2.0], [5.0, 6.0, 7.0]], np.float32)

EXAMPLES = [
    Call(np.array([[1.0, 2.0]], np.float32), np.array([[3.0, 4.0]], np.float32)).gives(
        [[[3.0, 4.0], [6.0, 8.0]]]
    ),
    Call(A, B).gives(
        [[[1.0, 0.0, 2.0], [2.0, 0.0, 4.0]], [[0.0, 0.0, 0.0], [5.0, 6.0, 7.0]]],
    ),
]


def hidden(rng):
    """Yield equal sizes, where a wrong axis does not show in the shape, and a single row."""
    yield Call(*(rng.normal(size=(2, size)).astype(np.float32) for size in (2, 3)))
    yield Call(*(rng.normal(size=(3, 3)).astype(np.float32) for _ in range(2))).when(
        "as many rows as columns"
    )
    yield Call(*(rng.normal(size=(1, size)).astype(np.float32) for size in (3, 1))).when(
        "a single row"
    )


def ones(rows):
    """Return a call with this many rows."""
    return Call(np.ones((rows, 2), np.float32), np.ones((rows, 3), np.float32))


PROPERTIES = [
    SameSize([ones(2), ones(8)], says="8 rows take no more equations than 2."),
    Types([ones(4)], says="4 rows give an array of shape (4, 2, 3), in float32."),
    Gradient([Call(A, B)], argnums=(0, 1), says="Its gradients with respect to a and b are right."),
    Traces(
        [Call(A, B), Call(-A, B), Call(A, 2 * B)],
        says="It is traced once for repeated calls with the same shapes.",
    ),
]
