"""Checks for the log density of the model."""

import numpy as np

from jaxtutor.core.vocabulary import Call, Gradient, Traces, Vmap


def subject(module):
    """Return how far the log density at q is above that at 0: a constant does not count."""

    def above_zero(q, X, y):
        return module.log_density(q, X, y) - module.log_density(0 * q, X, y)

    return above_zero


def array(values):
    """Return a float32 array."""
    return np.array(values, np.float32)


ONE = (array([[1]]), array([2]))

EXAMPLES = [
    Call(array([1, 0]), *ONE).gives(1.0),
    Call(array([0, np.log(2)]), *ONE).gives(-0.7725887),
]


def data(rng, n, d):
    """Return n rows of d numbers, and a number for each row."""
    X, y = rng.normal(size=(n, d)), rng.normal(size=n)
    return X.astype(np.float32), y.astype(np.float32)


def hidden(rng):
    """Yield parameters for some data, with small and large variances."""
    X, y = data(rng, 6, 2)
    yield Call(array([0.5, -1, 0.3]), X, y)
    yield Call(array([0.5, -1, -2]), X, y).when("a small variance")
    yield Call(array([0.5, -1, 4]), X, y).when("a large variance")
    yield Call(array([0, 0, 1]), X, y).when("weights of 0")
    yield Call(array([0.2, 0.5]), *data(rng, 9, 1)).when("a single weight")


RNG = np.random.default_rng(3)
X, Y = data(RNG, 6, 2)
Q = array([0.5, -1, 0.3])

PROPERTIES = [
    Traces([Call(Q, X, Y), Call(Q + 1, X, Y)]),
    Gradient([Call(Q, X, Y)], says="Its gradient with respect to q is right."),
    Vmap([Call(np.stack([Q, 2 * Q]), X, Y)], in_axes=(0, None, None)),
]
