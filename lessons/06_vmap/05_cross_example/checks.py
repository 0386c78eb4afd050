"""Checks for cross-example."""

import jax
import numpy as np

from jaxtutor.core.vocabulary import Call, Gradient, SameSize, Types


def subject(module):
    """Return it mapped over a batch whose axis has a name, as the page does."""

    def batched(xs):
        return jax.vmap(module.center, axis_name="batch")(xs)

    return batched


EXAMPLES = [
    Call(np.array([1.0, 2.0, 6.0], np.float32)).gives([-2.0, -1.0, 3.0]),
    Call(np.array([[1.0, 10.0], [3.0, 30.0]], np.float32)).gives([[-1.0, -10.0], [1.0, 10.0]]),
]


def hidden(rng):
    """Yield vectors, tables, a square batch, equal examples and a single example."""
    yield Call(rng.normal(5.0, 2.0, size=(4, 3)).astype(np.float32))
    yield Call(rng.normal(5.0, 2.0, size=(3, 2, 2)).astype(np.float32)).when(
        "examples that are tables"
    )
    yield Call(rng.normal(5.0, 2.0, size=(3, 3)).astype(np.float32)).when(
        "as many examples as elements"
    )
    yield Call(np.array([7.0], np.float32)).when("a batch of one number")


def ones(rows):
    """Return a batch of this many rows."""
    return np.ones((rows, 2), np.float32)


PROPERTIES = [
    Types([Call(ones(3))], says="An example keeps its shape and its dtype."),
    Gradient([Call(ones(3))], says="Its gradient is right, through the mean too."),
    SameSize([Call(ones(2)), Call(ones(20))], says="20 examples take no more equations than 2."),
]
