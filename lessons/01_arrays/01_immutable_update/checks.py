"""What immutable-update asks for."""

import jax.numpy as jnp
import numpy as np

from jaxtutor.core.vocabulary import Call, Custom, Traces, Types

EXAMPLES = [
    Call(np.array([1.0, 2.0, 3.0], np.float32), 1, 9.0).gives([1.0, 9.0, 3.0]),
    Call(np.array([5, 6, 7, 8], np.int32), 3, 0).gives([5, 6, 7, 0]),
]


def hidden(rng):
    """The first place, the last one, and one between."""
    for place in (0, 5, int(rng.integers(1, 5))):
        yield Call(rng.normal(size=6).astype(np.float32), place, float(rng.normal()))


def stays_as_it_is(replace_at):
    """Say what became of x."""
    x = jnp.arange(4.0)
    replace_at(x, 2, 9.0)
    if x.is_deleted():
        return "after the call x is gone, and the caller may need it"
    if x.tolist() != [0.0, 1.0, 2.0, 3.0]:
        return f"x was [0, 1, 2, 3], and after the call it is {x.tolist()}"
    return None


FOUR = np.arange(4)

PROPERTIES = [
    Types(
        [Call(FOUR.astype(dtype), 2, 1) for dtype in (jnp.int32, jnp.bfloat16, jnp.float32)],
        says="The answer has the dtype of x: int32, bfloat16 and float32 stay what they are.",
    ),
    Traces(
        [Call(FOUR.astype(np.float32), place, 9.0) for place in (0, 1, 2)],
        says="It is traced once for three places i.",
    ),
    Custom("unchanged", "x itself is as before.", stays_as_it_is),
]
