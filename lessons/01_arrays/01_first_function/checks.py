"""What first-function requires."""

import numpy as np

from jaxtutor.core.vocabulary import Call

JIT = False


def of(*degrees):
    """Return an array of temperatures."""
    return np.array(degrees, np.float32)


EXAMPLES = [
    Call(of(18.5, 24.0, 21.5)).gives(24.0),
    Call(of(-3.0, -8.0)).gives(-3.0),
]


def hidden(rng):
    """The highest at either end, equal ones, a single one, and a whole week."""
    yield Call(of(30.0, 12.0, 7.5)).when("the highest comes first")
    yield Call(of(-9.0, -4.0, -1.5)).when("below zero")
    yield Call(of(11.0, 11.0)).when("the same temperature twice")
    yield Call(of(16.0)).when("a single temperature")
    yield Call(rng.normal(15.0, 8.0, size=7).astype(np.float32))
