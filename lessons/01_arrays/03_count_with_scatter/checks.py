"""What count-with-scatter requires."""

import numpy as np

from jaxtutor.core.vocabulary import Call, SameSize, Types

STATIC = ("n_bins",)

EXAMPLES = [
    Call(np.array([0, 1, 1, 2, 1], np.int32), 3).gives([1, 3, 1]),
    Call(np.array([3, -1, 9, 0], np.int32), 4).gives([1, 0, 0, 2]),
]


def hidden(rng):
    """Many repeats, one bin, empty bins, and no entries."""
    yield Call(rng.integers(-5, 8, size=40).astype(np.int32), 5).when(
        "negative numbers and numbers that are too large"
    )
    yield Call(np.array([2, 2, 2, 2, 2], np.int32), 3).when("one number repeated")
    yield Call(np.array([-4, 3, 4, 0], np.int32), 4).when("numbers at the ends of the range")
    yield Call(np.zeros(5, np.int32), 1).when("one bin only")
    yield Call(np.zeros(0, np.int32), 3).when("no entries")
    yield Call(np.ones(130, np.int8), 3).when("more repeats than an int8 can count")


PROPERTIES = [
    Types(
        [Call(np.array([0, 1, 1], dtype), 2) for dtype in (np.int32, np.int8)],
        weak=False,
        says="The counts have dtype int32, whatever the dtype of idx.",
    ),
    SameSize(
        [Call(np.zeros(10, np.int32), 3), Call(np.zeros(1000, np.int32), 3)],
        says="Its jaxpr has no more equations for a thousand entries than for ten.",
    ),
]
