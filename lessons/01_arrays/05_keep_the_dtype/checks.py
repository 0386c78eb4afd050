"""What keep-the-dtype requires."""

import jax.numpy as jnp
import numpy as np

from jaxtutor.core.vocabulary import Call, Types

EXAMPLES = [
    Call(np.array([3.0, 8.0, -1.0], np.float16)).gives([1.5, 4.0, -0.5]),
    Call(np.array([[5.0]], np.float32)).gives([[2.5]]),
]


def hidden(rng):
    """A table, a single number, odd numbers, large ones, and those that are not finite."""
    yield Call(rng.normal(size=(2, 3)).astype(np.float32))
    yield Call(np.array(7.0, np.float32)).when("a single number and not a row of them")
    yield Call(np.array([1.0, 3.0, 60000.0], np.float16)).when("numbers near the end of float16")
    yield Call(np.array([np.inf, -np.inf, np.nan], np.float32)).when("an infinity and NaN")
    yield Call(np.array([1e-8, 3e38, -0.0], np.float32)).when("very small and very large numbers")


THREE = np.array([1.0, -2.0, 5.0])

PROPERTIES = [
    Types(
        [Call(THREE.astype(dtype)) for dtype in (jnp.float16, jnp.bfloat16, jnp.float32)],
        says="The answer has the dtype of x: float16, bfloat16 and float32 stay what they are.",
    ),
]
