"""What keep-the-dtype asks for."""

import jax.numpy as jnp
import numpy as np

from jaxtutor.core.vocabulary import Call, Types

EXAMPLES = [
    Call(np.array([3.0, 8.0, -1.0], np.float16)).gives([1.5, 4.0, -0.5]),
    Call(np.array([[5.0]], np.float32)).gives([[2.5]]),
]


def hidden(rng):
    """A table, one number alone, and odd numbers, whose halves are no integers."""
    yield Call(rng.normal(size=(2, 3)).astype(np.float32))
    yield Call(np.array(7.0, np.float32))
    yield Call(np.array([1.0, 3.0, 60000.0], np.float16))


THREE = np.array([1.0, -2.0, 5.0])

PROPERTIES = [
    Types(
        [Call(THREE.astype(dtype)) for dtype in (jnp.float16, jnp.bfloat16, jnp.float32)],
        says="The answer has the dtype of x: float16, bfloat16 and float32 stay what they are.",
    ),
]
