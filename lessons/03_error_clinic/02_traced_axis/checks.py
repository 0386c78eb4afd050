"""What traced-axis asks for."""

import numpy as np

from jaxtutor.core.vocabulary import Call, Traces

JIT = False

RAIN = np.array([[4.0, 0.0, 2.0], [9.0, 1.0, 5.0]], np.float32)

EXAMPLES = [
    Call(RAIN, 0).gives([5.0, 1.0, 3.0]),
    Call(RAIN, 1).gives([4.0, 8.0]),
]


def subject(module):
    """The function that is called is the one that make_reducer returns."""
    return module.make_reducer()


def hidden(rng):
    """Other values of the same shape, an axis by name, one counted from the end, a third axis."""
    yield Call(rng.normal(size=(2, 3)).astype(np.float32), 0)
    yield Call(rng.normal(size=(2, 3)).astype(np.float32), axis=1)
    yield Call(rng.normal(size=(2, 2, 2)).astype(np.float32), -1)


SQUARE = np.arange(9.0, dtype=np.float32).reshape(3, 3)

PROPERTIES = [
    Traces(
        [Call(SQUARE, 0), Call(SQUARE, 1), Call(-SQUARE, 0), Call(SQUARE * 2, 1)],
        times=2,
        probes=("ptp", "_ptp"),
        says="Two axes are two traces; other values are none.",
    ),
]
