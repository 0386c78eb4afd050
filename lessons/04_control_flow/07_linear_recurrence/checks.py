"""What linear-recurrence asks for."""

import numpy as np

from jaxtutor.core.vocabulary import Avoids, Call, Gradient, SameSize, Vmap


def row(*numbers):
    """Make a float32 array."""
    return np.array(numbers, np.float32)


EXAMPLES = [
    Call(row(0.5, 0.5, 0.5), row(4.0, 0.0, 2.0)).gives([4.0, 2.0, 3.0]),
    Call(row(2.0, 3.0, 0.0, 10.0), row(1.0, 1.0, 1.0, 1.0)).gives([1.0, 4.0, 1.0, 11.0]),
]


def hidden(rng):
    """Factors of both signs, one element, and a table with a column for each series."""
    for shape in ((13,), (1,), (6, 2)):
        yield Call(
            rng.uniform(-1, 1, size=shape).astype(np.float32),
            rng.normal(size=shape).astype(np.float32),
        )


def ones(n):
    """Make a call of n elements."""
    return Call(np.ones(n, np.float32), np.ones(n, np.float32))


A, B = row(0.5, -0.3, 2.0, 0.0, 1.0), row(1.0, 2.0, -1.0, 0.5, 3.0)

PROPERTIES = [
    Avoids(
        [Call(A, B)],
        primitives=("scan", "while"),
        says="Its jaxpr holds neither scan nor while.",
    ),
    SameSize(
        [ones(8), ones(512)],
        factor=4,
        says="512 elements take at most four times as many equations as 8.",
    ),
    Vmap(
        [Call(np.stack([A, -A]), np.stack([B, B[::-1]]))],
        says="Under jax.vmap each row is a series of its own.",
    ),
    Gradient([Call(A, B)], argnums=(0, 1), says="Its gradients in a and in b are right."),
]
