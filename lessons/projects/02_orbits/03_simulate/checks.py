"""Checks for many steps in one loop."""

import numpy as np

from jaxtutor.core.vocabulary import Call, Gradient, SameSize, Traces

STATIC = ("steps",)


def array(values):
    """Return a float32 array."""
    return np.array(values, np.float32)


ALONE = (array([[0, 0]]), array([[1, 2]]))
AT_REST = (array([[-1], [1]]), array([[0], [0]]))

EXAMPLES = [
    Call(ALONE, array([1]), 0.5, 0.0, 3).gives(
        ([[[0.5, 1.0]], [[1.0, 2.0]], [[1.5, 3.0]]], [[[1.0, 2.0]], [[1.0, 2.0]], [[1.0, 2.0]]])
    ),
    Call(AT_REST, array([4, 4]), 1.0, 0.0, 1).gives(([[[-0.5], [0.5]]], [[[2.5], [-2.5]]])),
]


def system(rng, n, d=2):
    """Return the state of n bodies in d dimensions, and their masses."""
    x, v = rng.normal(size=(2, n, d)).astype(np.float32)
    return (x, v), rng.uniform(0.1, 1, n).astype(np.float32)


def hidden(rng):
    """Yield short simulations forwards and backwards."""
    yield Call(*system(rng, 3), 0.05, 0.5, 10)
    yield Call(*system(rng, 4, 3), 0.05, 0.5, 7).when("three dimensions")
    yield Call(*system(rng, 3), -0.05, 0.5, 5).when("steps back in time")


RNG = np.random.default_rng(9)
STATE, M = system(RNG, 3)

PROPERTIES = [
    Traces([Call(STATE, M, 0.1, 0.1, 5), Call(STATE, 2 * M, 0.2, 0.3, 5)]),
    SameSize(
        [Call(STATE, M, 0.1, 0.1, 3), Call(STATE, M, 0.1, 0.1, 300)],
        says="300 steps take no more equations than three.",
    ),
    Gradient(
        [Call(STATE, M, 0.05, 0.5, 5)],
        argnums=(0, 1),
        finite=True,
        says="It has a gradient with respect to the state and the masses.",
    ),
]
