"""The checks of difference."""

import numpy as np

from jaxtutor.core.vocabulary import Call, SameSize, Traces

EXAMPLES = [
    Call(np.array([1.0, 3.0, 7.0], np.float32)).gives([2.0, 4.0]),
    Call(np.array([5.0, 5.0], np.float32)).gives([0.0]),
]


def hidden(rng):
    """Yield rows that rise and fall, whole numbers, and a row without neighbours."""
    yield Call(rng.normal(size=6).astype(np.float32))
    yield Call(rng.integers(-9, 9, size=6).astype(np.int32))
    yield Call(np.array([2.0], np.float32)).when("a row of one number")


PROPERTIES = [
    Traces([Call(np.ones(4, np.float32)), Call(np.zeros(4, np.float32))]),
    SameSize(
        [Call(np.ones(4, np.float32)), Call(np.ones(40, np.float32))],
        says="40 numbers need no more equations than 4.",
    ),
]
