"""Checks for one step in time."""

import numpy as np

from jaxtutor.core.vocabulary import Call, Custom, Gradient, SameSize, Traces


def array(values):
    """Return a float32 array."""
    return np.array(values, np.float32)


ALONE = (array([[0, 0]]), array([[1, 2]]))
AT_REST = (array([[-1, 0], [1, 0]]), array([[0, 0], [0, 0]]))

EXAMPLES = [
    Call(ALONE, array([1]), 0.5, 0.0).gives(([[0.5, 1.0]], [[1.0, 2.0]])),
    Call(AT_REST, array([4, 4]), 1.0, 0.0).gives(
        ([[-0.5, 0.0], [0.5, 0.0]], [[2.5, 0.0], [-2.5, 0.0]])
    ),
]


def system(rng, n, d=2):
    """Return the state of n bodies in d dimensions, and their masses."""
    x, v = rng.normal(size=(2, n, d)).astype(np.float32)
    return (x, v), rng.uniform(0.1, 2, n).astype(np.float32)


def hidden(rng):
    """Yield steps forwards, backwards and of no length, in two and three dimensions."""
    yield Call(*system(rng, 4), 0.1, 0.1)
    yield Call(*system(rng, 3, 3), 0.2, 0.3).when("three dimensions")
    yield Call(*system(rng, 3), -0.1, 0.2).when("a step back in time")
    yield Call(*system(rng, 3), 0.0, 0.2).when("a step of length 0")


RNG = np.random.default_rng(8)
STATE, M = system(RNG, 4)


def there_and_back(leapfrog):
    """Report how far a step and the same step back end from the start."""
    x, v = leapfrog(leapfrog(STATE, M, 0.1, 0.5), M, -0.1, 0.5)
    off = max(np.abs(x - STATE[0]).max(), np.abs(v - STATE[1]).max())
    return None if off < 1e-5 else f"a step there and one back end {off:.1g} from the start"


PROPERTIES = [
    Traces([Call(STATE, M, 0.1, 0.1), Call(STATE, M, 0.2, 0.0)]),
    SameSize(
        [Call(*system(RNG, 3), 0.1, 0.1), Call(*system(RNG, 12), 0.1, 0.1)],
        says="Twelve bodies take no more equations than three.",
    ),
    Gradient([Call(STATE, M, 0.1, 0.2)], says="Its gradient with respect to the state is right."),
    Custom("there-and-back", "A step and the same step back lead to the start.", there_and_back),
]
