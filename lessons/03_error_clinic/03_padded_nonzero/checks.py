"""What padded-nonzero requires."""

import numpy as np

from jaxtutor.core.vocabulary import Call, Traces, Types

STATIC = ("size",)

FOUR = np.array([3.0, -7.0, 0.5, -1.0], np.float32)

EXAMPLES = [
    Call(FOUR, 3).gives([0, 2, -1]),
    Call(np.abs(FOUR), 3).gives([0, 1, 2]),
]


def hidden(rng):
    """One find at the end, none, NaN, zero, infinity, other sizes, integers, and whatever comes."""
    yield Call(np.array([-1.0, np.nan, 0.0, 5.0], np.float32), 3).when("NaN and zero")
    yield Call(np.array([-1.0, np.nan, 0.0, -5.0], np.float32), 3).when("no positive elements")
    yield Call(np.array([0.5, 9.0, np.inf, 1e-30], np.float32), 3).when(
        "positive elements not in order of size"
    )
    yield Call(FOUR, 6).when("a size larger than x")
    yield Call(np.abs(FOUR), 6).when("a size larger than x")
    yield Call(np.array([2, -2, 0, 2, 2], np.int32), 2).when("integers, some of them equal")
    for _ in range(3):
        yield Call(rng.normal(size=4).astype(np.float32), 3)


PROPERTIES = [
    Types(
        [Call(FOUR, 3), Call(FOUR, 8)],
        weak=False,
        name="shape",
        says="The answer has `size` elements, even if x has fewer, and its dtype is int32.",
    ),
    Traces(
        [Call(FOUR, 3), Call(-FOUR, 3), Call(FOUR * 2, 3)],
        says="It is traced once for three calls of one size.",
    ),
]
