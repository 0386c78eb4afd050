"""What out-of-bounds requires."""

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
    """Both ends and past them, indices of other shapes, and elements that look like a filling."""
    x = rng.normal(size=4).astype(np.float32)
    yield Call(x, EIGHT, -7.5).when("indices at both ends and just past them")
    yield Call(x, np.array(4, np.int32), 2.5).when("a single index and not a row of them")
    yield Call(x, rng.integers(-9, 9, size=(2, 3)).astype(np.int32), 0.0).when("a table of indices")
    yield Call(x, np.zeros(0, np.int32), 1.0).when("no indices")
    yield Call(x, EIGHT, float("nan")).when("NaN as the value to fill in")
    yield Call(
        np.array([1.0, np.nan, np.inf], np.float32), np.array([1, 2, 3, -2], np.int32), 0.5
    ).when("NaN as an element of x")
    yield Call(np.array([-(2**31), 5], np.int32), np.array([0, 1, 2, -2], np.int32), 3).when(
        "the smallest integer as an element of x"
    )


def holds_no_nan(safe_take):
    """Return which index gave NaN although fill was 0."""
    answer = safe_take(jnp.ones(4), jnp.array(EIGHT), 0.0)
    bad = [index for index, value in zip(EIGHT, answer.tolist(), strict=True) if value != value]
    return f"the answer for index {bad[0]} is NaN, and fill was 0" if bad else None


FOUR = Call(np.ones(4, np.float32), EIGHT, 0.0)

WHOLE = Call(np.ones(4, np.int32), EIGHT, 0)

PROPERTIES = [
    Types([FOUR, WHOLE], says="The answer has the dtype of x."),
    Custom(
        "no-nan", "There is no NaN in the answer unless fill is NaN or x holds one.", holds_no_nan
    ),
]
