"""What the windows of a text are."""

import numpy as np

from jaxtutor.core.vocabulary import Call, SameSize, Traces, Types

STATIC = ("length",)
IDS = np.array([3, 1, 4, 1, 5, 9, 2, 6], np.int32)


def at(*starts):
    """Make an array of starts."""
    return np.array(starts, np.int32)


EXAMPLES = [
    Call(IDS, at(0, 2), 3).gives(([[3, 1, 4], [4, 1, 5]], [[1, 4, 1], [1, 5, 9]])),
    Call(IDS, at(4), 2).gives(([[5, 9]], [[9, 2]])),
]


def hidden(rng):
    """Yield windows anywhere, the last one of the text, the same one twice, and short ones."""
    text = rng.integers(0, 40, 50).astype(np.int32)
    yield Call(text, rng.integers(0, 40, 6).astype(np.int32), 9)
    yield Call(text, at(40, 0), 9).when("a window that ends with the text")
    yield Call(text, at(7, 7, 3), 9).when("the same start twice")
    yield Call(text, at(5), 1).when("windows of one character")


PROPERTIES = [
    Traces(
        [Call(IDS, at(0, 2), 3), Call(IDS, at(1, 3), 3)],
        says="Other starts need no new trace.",
    ),
    Types([Call(IDS, at(0, 2), 3)], weak=False),
    SameSize(
        [Call(IDS, at(0, 1), 3), Call(IDS, at(*[1] * 12), 3)],
        says="Twelve windows need no more equations than two.",
    ),
]
