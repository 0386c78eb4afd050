"""What out-of-bounds asks for."""

import jax.numpy as jnp
import numpy as np

from jaxtutor.core.vocabulary import Call, Custom, Types

STATIC = ("fill",)

EXAMPLES = [
    Call(np.array([4.0, 9.0, 15.0], np.float32), np.array([0, 5, -1], np.int32), 0.0).gives(
        [4.0, 0.0, 15.0]
    ),
    Call(np.array([7, 8], np.int32), np.array([2, -2, -3], np.int32), 100).gives([100, 7, 100]),
]

EIGHT = np.array([0, 3, 4, 99, -1, -4, -5, -99], np.int32)


def hidden(rng):
    """Both ends and past them, one index alone, a table of them, and NaN that was asked for."""
    x = rng.normal(size=4).astype(np.float32)
    yield Call(x, EIGHT, -7.5)
    yield Call(x, np.array(4, np.int32), 2.5)
    yield Call(x, rng.integers(-9, 9, size=(2, 3)).astype(np.int32), 0.0)
    yield Call(x, EIGHT, float("nan"))


def holds_no_nan(safe_take):
    """Say whether NaN is in an answer that was to be filled with 0."""
    answer = safe_take(jnp.ones(4), jnp.array(EIGHT), 0.0)
    bad = [index for index, value in zip(EIGHT, answer.tolist(), strict=True) if value != value]
    return f"the answer for index {bad[0]} is NaN, and fill was 0" if bad else None


FOUR = Call(np.ones(4, np.float32), EIGHT, 0.0)

PROPERTIES = [
    Types([FOUR], says="The answer has the dtype of x."),
    Custom("no-nan", "There is no NaN in the answer unless fill is NaN.", holds_no_nan),
]
