"""Checks for the waves at each place."""

import numpy as np

from jaxtutor.core.vocabulary import Call, SameSize, Traces


def array(values):
    """Return a float32 array."""
    return np.array(values, np.float32)


EXAMPLES = [
    Call(array([[0.25, 0]]), array([[1], [0]])).gives([[1.0, 0.0]]),
    Call(array([[0, 0], [0.5, 0.25]]), array([[1, 0], [1, 2]])).gives(
        [[0.0, 0.0, 1.0, 1.0], [-1.0, 0.0, 0.0, -1.0]]
    ),
]


def some(rng, n, m, fastest=2.0):
    """Return n places and m waves."""
    places = rng.uniform(-1, 1, (n, 2)).astype(np.float32)
    return places, (fastest * rng.uniform(-1, 1, (2, m))).astype(np.float32)


def hidden(rng):
    """Yield slow and fast waves, and shapes in which no two lengths are equal."""
    yield Call(*some(rng, 5, 3))
    yield Call(*some(rng, 3, 7, 16.0)).when("fast waves")
    yield Call(*some(rng, 1, 4)).when("a single place")


RNG = np.random.default_rng(3)
PLACES, WAVES = some(RNG, 4, 3)

PROPERTIES = [
    Traces([Call(PLACES, WAVES), Call(2 * PLACES, WAVES + 1)]),
    SameSize(
        [Call(*some(RNG, 3, 2)), Call(*some(RNG, 20, 16))],
        says="16 waves at 20 places take no more equations than 2 waves at 3.",
    ),
]
