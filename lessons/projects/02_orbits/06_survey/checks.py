"""Checks for many launches at once."""

import numpy as np

from jaxtutor.core.vocabulary import Call, SameSize, Traces

STATIC = ("steps",)


def array(values):
    """Return a float32 array."""
    return np.array(values, np.float32)


EMPTY = ((array([[5, 5]]), array([[0, 0]])), array([0]))
HERE = array([0, 0])

EXAMPLES = [
    Call(array([[1, 0], [0, 1], [2, 2]]), HERE, *EMPTY, array([2, 0]), 0.5, 0.0, 4).gives(
        [0.0, 2.828427, 4.472136]
    ),
    Call(array([[0, 0]]), HERE, *EMPTY, array([3, 4]), 0.5, 0.0, 4).gives([5.0]),
]

SUN = ((array([[0, 0]]), array([[0, 0]])), array([1]))
START, TARGET = array([1, 0]), array([0.2, 1.1])


def launches(rng, n):
    """Return n velocities for a launch near a round orbit."""
    return (array([0, 1]) + 0.3 * rng.normal(size=(n, 2))).astype(np.float32)


def hidden(rng):
    """Yield launches around a sun."""
    yield Call(launches(rng, 6), START, *SUN, TARGET, 0.1, 0.1, 12).when("flights around a sun")
    yield Call(launches(rng, 2), START, *SUN, TARGET, 0.1, 0.1, 20).when(
        "as many launches as coordinates"
    )


RNG = np.random.default_rng(6)

PROPERTIES = [
    SameSize(
        [
            Call(launches(RNG, 3), START, *SUN, TARGET, 0.1, 0.1, 12),
            Call(launches(RNG, 50), START, *SUN, TARGET, 0.1, 0.1, 12),
        ],
        says="50 launches take no more equations than three.",
    ),
    Traces(
        [
            Call(launches(RNG, 6), START, *SUN, TARGET, 0.1, 0.1, 12),
            Call(launches(RNG, 6), START, *SUN, TARGET + 1, 0.2, 0.1, 12),
        ]
    ),
]
