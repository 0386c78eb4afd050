"""Checks for piecewise."""

import jax.numpy as jnp
import numpy as np

from jaxtutor.core.vocabulary import Call, Types, Vmap

EXAMPLES = [
    Call(np.array([3.0, 0.5, -2.0], np.float32), 1.0).gives([2.0, 0.0, -1.0]),
    Call(np.array([-0.25, 0.25], np.float32), 0.25).gives([0.0, 0.0]),
]


def hidden(rng):
    """Yield tables, single numbers, lam = 0, infinities, large values and an empty array."""
    yield Call(rng.normal(size=(3, 4)).astype(np.float32), 0.5)
    for number in (1.5, -1.5, 0.5):
        yield Call(np.array(number, np.float32), 1.0).when("a single number for x")
    yield Call(rng.normal(size=(3, 4)).astype(np.float32), 0.0).when("a lam of 0")
    yield Call(np.array([np.inf, -np.inf, 3e30, -3e30], np.float32), 1.0).when(
        "infinities and very large numbers"
    )
    yield Call(np.zeros(0, np.float32), 1.0).when("an empty array")


FOUR = np.array([2.0, 0.5, -0.5, -2.0])

PROPERTIES = [
    Types(
        [Call(FOUR.astype(dtype), 1.0) for dtype in (jnp.bfloat16, jnp.float32)],
        says="The answer has the dtype of x: bfloat16 stays bfloat16, float32 stays float32.",
    ),
    Vmap(
        [Call(FOUR.astype(np.float32), np.array([1.0, 0.25, 1.0, 0.5], np.float32))],
        says="Under jax.vmap each number is shrunk by its own lam.",
    ),
]
