"""What sum-of-positive requires."""

import jax.numpy as jnp
import numpy as np

from jaxtutor.core.vocabulary import Call, Finite, Gradient, Types, Vmap

SOME = np.array([3.0, -7.0, 5.0, 0.0], np.float32)
NONE = np.array([-1.0, -2.0, -3.0, -4.0], np.float32)
# Right solutions differ in the gradient at exactly 0, so no element is 0 here.
NO_ZERO = np.array([3.0, -7.0, 5.0, -1.0], np.float32)

EXAMPLES = [
    Call(SOME).gives(4.0),
    Call(NONE).gives(0.0),
]


def hidden(rng):
    """Some, all and none of the elements, and NaN and infinities that count or do not."""
    yield Call(rng.normal(size=4).astype(np.float32))
    yield Call(np.abs(rng.normal(size=4)).astype(np.float32)).when("positive elements only")
    yield Call(np.array([-1.0, 0.0, 2.5, -4.0], np.float32)).when("one positive element")
    yield Call(np.array([np.nan, 2.0, -np.inf, 4.0], np.float32)).when(
        "NaN and -inf beside positive elements"
    )
    yield Call(np.array([np.nan, -0.0, 0.0, -np.inf], np.float32)).when(
        "no positive elements, but NaN and -inf"
    )
    yield Call(np.array([np.inf, 1.0, -2.0, np.nan], np.float32)).when(
        "inf among the positive elements"
    )
    yield Call(NONE.astype(np.float16)).when("no positive elements, in float16")
    yield Call(np.array([5.0, 5.0, -5.0, 5.0], np.float32)).when("equal elements")
    yield Call(np.zeros(0, np.float32)).when("no elements at all")


PROPERTIES = [
    Types(
        [Call(SOME.astype(dtype)) for dtype in (jnp.bfloat16, jnp.float16, jnp.float32)],
        says="The answer has the dtype of x: bfloat16, float16 and float32 stay what they are.",
    ),
    Vmap(
        [Call(np.stack([SOME, NONE, NO_ZERO]))],
        says="Under jax.vmap each row has its own mean.",
    ),
    Gradient(
        [Call(NO_ZERO)],
        says="Its gradient is 1 / n for each of the n positive elements, 0 for the negative ones.",
    ),
    Finite(
        [Call(NONE)],
        gradient=True,
        says="Where no element is positive, the answer and its gradient are finite.",
    ),
]
