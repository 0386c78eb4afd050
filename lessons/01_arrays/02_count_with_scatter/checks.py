"""What count-with-scatter asks for."""

import numpy as np

from jaxtutor.core.vocabulary import Call, SameSize, Types

STATIC = ("n_bins",)

EXAMPLES = [
    Call(np.array([0, 1, 1, 2, 1], np.int32), 3).gives([1, 3, 1]),
    Call(np.array([3, -1, 9, 0], np.int32), 4).gives([1, 0, 0, 2]),
]


def hidden(rng):
    """Many repeats, one bin, bins that nobody falls into, and no entries at all."""
    yield Call(rng.integers(-5, 8, size=40).astype(np.int32), 5)
    yield Call(np.array([2, 2, 2, 2, 2], np.int32), 3)
    yield Call(np.zeros(5, np.int32), 1)
    yield Call(np.zeros(0, np.int32), 3)


PROPERTIES = [
    Types(
        [Call(np.array([0, 1, 1], np.int32), 2)],
        weak=False,
        says="The counts are integers, of dtype int32.",
    ),
    SameSize(
        [Call(np.zeros(10, np.int32), 3), Call(np.zeros(1000, np.int32), 3)],
        says="A thousand entries take no more equations than ten.",
    ),
]
