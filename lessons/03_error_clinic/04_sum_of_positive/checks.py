"""What sum-of-positive asks for."""

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
    """Some, all and none of the elements, NaN and infinities among those that do not count."""
    yield Call(rng.normal(size=4).astype(np.float32))
    yield Call(np.abs(rng.normal(size=4)).astype(np.float32))
    yield Call(np.array([np.nan, 2.0, -np.inf, 4.0], np.float32))
    yield Call(np.array([np.nan, -0.0, 0.0, -np.inf], np.float32))


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
        says="Its gradient is 1 / n for each of the n positive elements, 0 for the others.",
    ),
    Finite(
        [Call(NONE)],
        gradient=True,
        says="Where no element is positive, the answer and its gradient are finite.",
    ),
]
