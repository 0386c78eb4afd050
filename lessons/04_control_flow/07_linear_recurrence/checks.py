"""Checks for linear-recurrence."""

import numpy as np

from jaxtutor.core.vocabulary import Avoids, Call, Gradient, SameSize, Vmap


def row(*numbers):
    """Return a float32 array."""
    return np.array(numbers, np.float32)


EXAMPLES = [
    Call(row(0.5, 0.5, 0.5), row(4.0, 0.0, 2.0)).gives([4.0, 2.0, 3.0]),
    Call(row(2.0, 3.0, 0.0, 10.0), row(1.0, 1.0, 1.0, 1.0)).gives([1.0, 4.0, 1.0, 11.0]),
]


def hidden(rng):
    """Yield factors of both signs, one element, several axes, and a factor of 0 at the start."""
    for shape, reason in (
        ((13,), ""),
        ((1,), "a single step"),
        ((3, 3), "as many series as steps"),
        ((6, 2), "a second axis"),
        ((4, 1, 3), "three axes"),
    ):
        a = rng.uniform(-1, 1, size=shape).astype(np.float32)
        yield Call(a, rng.normal(size=shape).astype(np.float32)).when(reason)
    yield Call(row(0.0, 2.0, 2.0), row(3.0, 0.0, -1.0)).when("a first factor of 0")


def ones(n):
    """Return a call with n elements."""
    return Call(np.ones(n, np.float32), np.ones(n, np.float32))


A, B = row(0.5, -0.3, 2.0, 0.0, 1.0), row(1.0, 2.0, -1.0, 0.5, 3.0)

PROPERTIES = [
    Avoids(
        [Call(A, B)],
        primitives=("scan", "while"),
        says="Its jaxpr contains neither scan nor while.",
    ),
    SameSize(
        [ones(8), ones(512)],
        factor=4,
        says="512 elements take at most four times as many equations as 8.",
    ),
    Vmap(
        [Call(np.stack([A, -A]), np.stack([B, B[::-1]]))],
        says="Under jax.vmap each row is a separate series.",
    ),
    Gradient([Call(A, B)], argnums=(0, 1), says="Its gradients with respect to a and b are right."),
]
