"""What padded-nonzero asks for."""

import numpy as np

from jaxtutor.core.vocabulary import Call, Traces, Types

STATIC = ("size",)

FOUR = np.array([3.0, -7.0, 0.5, -1.0], np.float32)

EXAMPLES = [
    Call(FOUR, 3).gives([0, 2, -1]),
    Call(np.abs(FOUR), 3).gives([0, 1, 2]),
]


def hidden(rng):
    """One find at the end, none at all, NaN and zero, and whatever comes."""
    yield Call(np.array([-1.0, np.nan, 0.0, 5.0], np.float32), 3)
    yield Call(np.array([-1.0, np.nan, 0.0, -5.0], np.float32), 3)
    for _ in range(3):
        yield Call(rng.normal(size=4).astype(np.float32), 3)


PROPERTIES = [
    Types(
        [Call(FOUR, 3), Call(FOUR, 6)],
        weak=False,
        name="shape",
        says="The answer has `size` elements, also where x has fewer, and its dtype is int32.",
    ),
    Traces(
        [Call(FOUR, 3), Call(-FOUR, 3), Call(FOUR * 2, 3)],
        says="It is traced once for three calls of one size.",
    ),
]
