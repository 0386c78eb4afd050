"""What safe-sqrt asks for."""

import jax
import numpy as np

from jaxtutor.core.vocabulary import Call, Custom, Gradient, Vmap

ROWS = np.array([[0.0, 0.0], [6.0, 8.0]], np.float32)

EXAMPLES = [
    Call(np.array([3.0, 4.0], np.float32)).gives(5.0),
    Call(ROWS).gives([0.0, 10.0]),
]


def hidden(rng):
    """Three axes, and a vector of zeros."""
    yield Call(rng.normal(size=(2, 3, 4)).astype(np.float32))
    yield Call(np.zeros(5, np.float32))


def not_zero(safe_norm):
    """Say what the length of nothing is, if not 0."""
    length = jax.jit(safe_norm)(np.zeros((2, 3), np.float32))
    return None if not np.any(length) else f"the lengths of two vectors of zeros are {length}"


SHORT = np.array([[3e-6, 4e-6], [0.3, -0.4]], np.float32)

PROPERTIES = [
    Gradient(
        [Call(ROWS)],
        finite=True,
        says="At zero its gradient is 0.",
    ),
    Gradient(
        [Call(SHORT)],
        name="gradient-elsewhere",
        says="Elsewhere its gradient is that of the length, for short vectors too.",
    ),
    Custom("exactly-zero", "The length of a vector of zeros is exactly 0.", not_zero),
    Vmap([Call(ROWS)], says="Under jax.vmap it does for each vector what it does for one."),
]
