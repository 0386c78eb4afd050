"""What batched-outer asks for."""

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
    """Rows, and columns, as many as each other."""
    yield Call(*(rng.normal(size=(2, size)).astype(np.float32) for size in (2, 3)))
    yield Call(*(rng.normal(size=(3, 3)).astype(np.float32) for _ in range(2)))


def ones(rows):
    """A batch of this many rows."""
    return Call(np.ones((rows, 2), np.float32), np.ones((rows, 3), np.float32))


PROPERTIES = [
    SameSize([ones(2), ones(8)], says="8 rows take no more equations than 2."),
    Types([ones(4)], says="4 rows give an array of shape (4, 2, 3), in float32."),
    Gradient([Call(A, B)], argnums=(0, 1), says="It has a gradient in a and in b."),
    Traces([Call(A, B), Call(-A, B), Call(A, 2 * B)], says="Three calls alike trace it once."),
]
