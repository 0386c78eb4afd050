"""What jit-with-static-n requires."""

import jax.numpy as jnp
import numpy as np

from jaxtutor.core.vocabulary import Call, SameSize, Traces, Types

JIT = False
STATIC = ("n",)

EXAMPLES = [
    Call(np.array([4.0, 9.0], np.float32), 2.0).gives([4.0, 9.0, 4.0, 9.0]),
    Call(np.array([5.0], np.float32), 3.0).gives([5.0, 5.0, 5.0]),
]


def hidden(rng):
    """One repeat only, many, equal elements, and some that are not finite."""
    x = rng.normal(size=5).astype(np.float32)
    yield Call(x, 1.0).when("one repeat")
    yield Call(x, 7.0).when("seven repeats")
    yield Call(np.array([np.inf, 4.0, 4.0], np.float32), 3.0).when("an infinity in x")


PAIR = np.array([1, 2])

PROPERTIES = [
    Types(
        [Call(PAIR.astype(dtype), 2.0) for dtype in (jnp.int32, jnp.bfloat16)],
        says="The answer has the dtype of x: int32 and bfloat16 stay what they are.",
    ),
    Traces(
        [Call(np.ones(4, np.float32), n) for n in (2.0, 3.0, 2.0)],
        times=2,
        name="traces-per-n",
        says="Calls with n = 2.0, 3.0 and 2.0 trace it twice, once for each n.",
    ),
    SameSize(
        [Call(np.ones(3, np.float32), 2.0), Call(np.ones(60, np.float32), 2.0)],
        says="Its jaxpr has no more equations for a long x than for a short one.",
    ),
]
