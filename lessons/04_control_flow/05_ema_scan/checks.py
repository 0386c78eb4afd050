"""Checks for ema-scan."""

import jax.numpy as jnp
import numpy as np

from jaxtutor.core.vocabulary import Call, Gradient, SameSize, Types, Uses

EXAMPLES = [
    Call(np.array([1.0, 2.0, 4.0], np.float32), 0.5).gives([1.0, 1.5, 2.75]),
    Call(np.array([8.0, 0.0, 0.0], np.float32), 0.25).gives([8.0, 6.0, 4.5]),
]


def hidden(rng):
    """Yield alpha = 0, alpha = 1, one element, equal elements and a long row."""
    yield Call(rng.normal(size=3).astype(np.float32), 0.0).when("an alpha of 0")
    yield Call(rng.normal(size=3).astype(np.float32), 1.0).when("an alpha of 1")
    yield Call(np.array([5.0], np.float32), 0.3).when("a single element")
    yield Call(np.full(3, -2.0, np.float32), 0.3).when("equal elements")
    yield Call(rng.normal(size=50).astype(np.float32), 0.1)


FOUR = np.array([1.0, -2.0, 0.5, 3.0])

PROPERTIES = [
    SameSize(
        [Call(np.ones(8, np.float32), 0.5), Call(np.ones(200, np.float32), 0.5)],
        says="200 elements take no more equations than 8.",
    ),
    Uses(
        [Call(FOUR.astype(np.float32), 0.5)],
        primitives=("scan",),
        says="Its jaxpr contains a scan.",
    ),
    Types(
        [Call(FOUR.astype(dtype), 0.5) for dtype in (jnp.bfloat16, jnp.float32)],
        says="The answer has the dtype of xs: bfloat16 stays bfloat16, float32 stays float32.",
    ),
    Gradient(
        [Call(FOUR.astype(np.float32), np.array(0.3, np.float32))],
        argnums=(0, 1),
        says="Its gradients with respect to xs and alpha are right.",
    ),
]
