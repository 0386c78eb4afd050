"""What safe-clip-positive requires."""

import jax.numpy as jnp
import numpy as np

from jaxtutor.core.vocabulary import Call, Gradient, SameSize, Traces, Types, Vmap

SIX = np.array([-2.0, -0.5, 0.5, 3.0, -1.0, 2.0], np.float32)

EXAMPLES = [
    Call(np.array([3.0, -7.0, 0.5], np.float32)).gives([3.0, 0.0, 0.5]),
    Call(np.array([-0.1, 100.0, -0.1], np.float32)).gives([0.0, 100.0, 0.0]),
]


def hidden(rng):
    """Values of many sizes, the ends of the ranges, tables of integers, and nothing at all."""
    for scale in (1.0, 1e6, 1e-6):
        yield Call((rng.normal(size=3) * scale).astype(np.float32))
    yield Call(np.array([np.nan, -np.inf, np.inf], np.float32)).when("NaN and both infinities")
    yield Call(np.array([3e38, -3e38, 1.0], np.float32)).when("floats near the end of their range")
    yield Call(np.array([-1.0, 0.0, 1.0], np.float32)).when("a zero")
    yield Call(rng.integers(-9, 9, size=(2, 3)).astype(np.int32)).when("a table of integers")
    yield Call(np.array([-(2**31), 1000, 5], np.int32)).when("the smallest integer")
    yield Call(np.array([0, 3, 250], np.uint8)).when("unsigned integers")
    yield Call(np.zeros(0, np.float32)).when("no elements")


PROPERTIES = [
    Types(
        [Call(np.abs(SIX).astype(jnp.uint8))]
        + [Call(SIX.astype(dtype)) for dtype in (jnp.int32, jnp.bfloat16, jnp.float32)],
        says="The answer has the dtype of x, be it an integer or a floating one.",
    ),
    Traces(
        [Call(SIX), Call(SIX * 2), Call(-SIX)],
        says="It is traced once for three calls of one shape.",
    ),
    Vmap(
        [Call(SIX.reshape(2, 3))],
        says="Under jax.vmap it does for each row what it does for a single one.",
    ),
    # Right solutions differ at exactly 0, so no element is 0 here.
    Gradient([Call(SIX)], says="Its gradient is 1 where x is positive and 0 where it is negative."),
    SameSize(
        [Call(np.ones(3, np.float32)), Call(np.ones(300, np.float32))],
        says="Its jaxpr has no more equations for 300 elements than for 3.",
    ),
]
