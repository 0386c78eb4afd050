"""What safe-sqrt asks for."""

import jax
import numpy as np

from jaxtutor.core.vocabulary import Call, Custom, Gradient, Vmap

ROWS = np.array([[0.0, 0.0], [6.0, 8.0]], np.float32)

EXAMPLES = [
    Call(np.array([3.0, 4.0], np.float32)).gives(5.0),
    Call(ROWS).gives([0.0, 10.0]),
]

PARTLY = np.array([[0.0, 5.0], [0.0, 0.0], [-2.0, 0.0]], np.float32)
SHORT = np.array([[3e-6, 4e-6], [0.3, -0.4], [3e-15, -4e-15]], np.float32)


def hidden(rng):
    """Three axes, a vector of zeros, and vectors with some zeros in them."""
    yield Call(rng.normal(size=(2, 3, 4)).astype(np.float32))
    yield Call(np.zeros(5, np.float32)).when("a vector of zeros")
    yield Call(PARTLY).when("a zero in a vector that is not zero")


def not_zero(safe_norm):
    """Report the lengths of two vectors of zeros, unless they are 0."""
    length = jax.jit(safe_norm)(np.zeros((2, 3), np.float32))
    return None if not np.any(length) else f"the lengths of two vectors of zeros are {length}"


PROPERTIES = [
    Gradient(
        [Call(ROWS).when("a vector of zeros"), Call(PARTLY).when("a vector of zeros")],
        finite=True,
        says="At zero its gradient is 0, and only there is anything replaced.",
    ),
    Gradient(
        [Call(SHORT).when("very short vectors")],
        name="gradient-elsewhere",
        says="Elsewhere its gradient is that of the length, for short vectors too.",
    ),
    Custom("exactly-zero", "The length of a vector of zeros is exactly 0.", not_zero),
    Vmap([Call(ROWS)], says="Under jax.vmap it does for each vector what it does for one."),
]
