"""Checks for one step of the environment."""

import numpy as np

from jaxtutor.core.vocabulary import Call, Traces, Types, Vmap


def array(values):
    """Return a float32 array."""
    return np.array(values, np.float32)


MOVING = array([0, 1, 0, 0])
LEAVING = array([2.39, 1, 0, 0])
FALLEN = array([0, 1, 0.5, 1])

EXAMPLES = [
    Call(MOVING, 1).gives(([0.02, 1.195122, 0.0, -0.292683], False)),
    Call(LEAVING, 0).gives(([2.41, 0.804878, 0.0, 0.292683], True)),
    Call(FALLEN, 1).gives(([0.0, 1.0, 0.5, 1.0], True)),
]


def states(rng, n):
    """Return n states in which the episode is not over."""
    return (rng.uniform(-1, 1, (n, 4)) * [2, 2, 0.15, 2]).astype(np.float32)


def hidden(rng):
    """Yield states anywhere, near both limits, and beyond them."""
    for action, state in enumerate(states(rng, 4)):
        yield Call(state, action % 2)
    yield Call(array([-2.39, -2, 0, 0]), 1).when("a cart that leaves the track on the left")
    yield Call(array([0.5, 0, -0.19, -1]), 0).when("a pole that falls to the left")
    yield Call(array([1, 0, 0.19, 1]), 1).when("a pole that falls to the right")
    yield Call(array([-2.5, -1, 0.1, 1]), 0).when("a cart that has left the track before")
    yield Call(array([2.4, 0, 0, 0]), 0).when("a cart exactly at the end of the track")
    yield Call(array([0, 1, -0.2, 0]), 1).when("a pole exactly at the largest tilt")
    yield Call(array([0, 0, 0.199, -0.345]), 0).when("a tilted pole that comes to rest")
    yield Call(array([0, 0, 0.199, -15]), 0).when("a tilted pole that swings back fast")


RNG = np.random.default_rng(2)
MANY = states(RNG, 5), np.arange(5, dtype=np.int32) % 2

PROPERTIES = [
    Traces([Call(MOVING, 1), Call(LEAVING, 0), Call(FALLEN, 1)]),
    Vmap([Call(*MANY)], says="Under jax.vmap, each state makes its own step."),
    Types([Call(MOVING, 1)], weak=False),
]
