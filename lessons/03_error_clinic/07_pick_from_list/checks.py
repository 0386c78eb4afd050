"""What pick-from-list asks for."""

import jax.numpy as jnp
import numpy as np

from jaxtutor.core.vocabulary import Call, Gradient, Traces, Types, Uses, Vmap

X = np.array([0.0, 1.0], np.float32)

EXAMPLES = [
    Call(1, X).gives([1.0, 0.5403]),
    Call(7, X).gives([0.0, 0.7616]),
]


def hidden(rng):
    """Each function, and an index on either side of the list."""
    for i in (0, 1, 2, 3, -1):
        yield Call(i, rng.normal(size=2).astype(np.float32))


PROPERTIES = [
    Types(
        [Call(1, X), Call(1, X.astype(jnp.bfloat16))],
        says="The answer has the dtype of x: float32 and bfloat16 stay what they are.",
    ),
    Traces(
        [Call(i, X) for i in range(3)],
        says="It is traced once for the three functions.",
    ),
    Uses(
        [Call(1, X)],
        primitives=("cond",),
        says="Its jaxpr holds a cond: one function is run, not all of them.",
    ),
    Vmap(
        [Call(np.array([0, 1, 2, 9]), X)],
        in_axes=(0, None),
        says="Under jax.vmap each row has its own function.",
    ),
    Gradient(
        [Call(1, X + 0.5)],
        argnums=1,
        says="Its gradient in x is that of the function chosen.",
    ),
]
