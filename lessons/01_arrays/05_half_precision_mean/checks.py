"""What half-precision-mean asks for."""

import numpy as np

from jaxtutor.core.vocabulary import Call, Finite, Types


def many(value):
    """Make 70,000 of them."""
    return np.full(70_000, value, np.float16)


EXAMPLES = [
    Call(np.array([1.0, 2.0, 6.0], np.float16)).gives(3.0),
    Call(many(1.5)).gives(1.5),
]


def hidden(rng):
    """A table, large numbers, many different ones, and both signs."""
    yield Call(rng.normal(size=(4, 3)).astype(np.float16))
    yield Call(np.array([60000.0, 60000.0, 30000.0], np.float16))
    yield Call((10 + rng.normal(size=70_000)).astype(np.float16))
    yield Call(many(-1000.0))


PROPERTIES = [
    Types(
        [Call(np.ones(3, np.float16)), Call(np.ones((2, 3), np.float16))],
        says="The answer is one number of dtype float16.",
    ),
    Finite(
        [Call(many(65504.0)), Call(many(-65504.0))],
        says="It is finite whenever the elements of x are.",
    ),
]
