"""What immutable-update requires."""

import jax.numpy as jnp
import numpy as np

from jaxtutor.core.vocabulary import Call, Custom, Traces, Types

EXAMPLES = [
    Call(np.array([1.0, 2.0, 3.0], np.float32), 1, 9.0).gives([1.0, 9.0, 3.0]),
    Call(np.array([5, 6, 7, 8], np.int32), 3, 0).gives([5, 6, 7, 0]),
]


def hidden(rng):
    """Places at both ends and between, equal elements, and elements that spoil arithmetic."""
    for place in (0, 5, int(rng.integers(1, 5))):
        yield Call(rng.normal(size=6).astype(np.float32), place, float(rng.normal()))
    yield Call(np.array([5, 5, 5], np.int32), 1, 0).when("equal elements")
    yield Call(np.array([2.0, -3.0, 0.0], np.float32), 2, 4.0).when("a zero at the place i")
    yield Call(np.array([np.inf, np.nan, 1.0], np.float32), 0, 2.0).when("an infinity and NaN in x")
    yield Call(np.array([1e8, 1.0], np.float32), 0, 0.25).when(
        "a large element replaced by a small number"
    )
    yield Call(np.array([7.0], np.float32), 0, -1.0).when("one element only")


def stays_as_it_is(replace_at):
    """Return what happened to x, if it is not as before."""
    x = jnp.arange(4.0)
    replace_at(x, 2, 9.0)
    if x.is_deleted():
        return "after the call x is deleted, and the caller may still need it"
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
        says="It is traced once for three different places i.",
    ),
    Custom("unchanged", "x itself does not change.", stays_as_it_is),
]
