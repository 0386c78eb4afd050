"""What clip-gradient asks for."""

import jax.numpy as jnp
import numpy as np

from jaxtutor.core.vocabulary import Call, Gradient, Traces, Types, Vmap

SIX = np.array([5.0, -7.0, 0.5, 2.0, -0.1, 30.0], np.float32)

EXAMPLES = [
    Call(np.array([5.0, -7.0], np.float32), -1.0, 1.0).gives([5.0, -7.0]),
    Call(np.array([[0.5, 2.0, 100.0]], np.float32), 0.0, 0.1).gives([[0.5, 2.0, 100.0]]),
]


def hidden(rng):
    """A table, and a single number."""
    yield Call(rng.normal(size=(2, 3)).astype(np.float32), -0.5, 0.5)
    yield Call(np.array(3.0, np.float32), -2.0, 0.0).when("a single number for x")


def half(dtype):
    """Return a call with float32 bounds, and x of this dtype."""
    return Call(SIX.astype(dtype), np.array(-0.2, np.float32), np.array(0.6, np.float32))


PROPERTIES = [
    # The gradients that arrive lie between -1 and 1, most of them outside these bounds.
    Gradient(
        [Call(SIX, -0.2, 0.6)],
        says="Each entry of its gradient is clipped to the range from lo to hi.",
    ),
    Gradient(
        [half(jnp.bfloat16)],
        name="gradient-dtype",
        says="The gradient has the dtype of x, also for bfloat16 with bounds in float32.",
    ),
    Gradient(
        [half(jnp.float32)],
        argnums=(0, 1, 2),
        name="bounds",
        says="With respect to the bounds, the gradient is 0.",
    ),
    Traces(
        [Call(SIX, lo, 1.0) for lo in (-1.0, -2.0, -3.0)],
        says="It is traced once for three bounds.",
    ),
    Vmap(
        [Call(SIX.reshape(3, 2), np.array([-1.0, -2.0, -3.0], np.float32), 1.0)],
        in_axes=(0, 0, None),
        says="Under jax.vmap each row may have a bound of its own.",
    ),
    Types([Call(SIX, -1.0, 1.0), half(jnp.bfloat16)], says="The answer has the dtype of x."),
]
