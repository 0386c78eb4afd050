"""What traced-axis requires."""

import numpy as np

from jaxtutor.core.vocabulary import Call, Traces

JIT = False

RAIN = np.array([[4.0, 0.0, 2.0], [9.0, 1.0, 5.0]], np.float32)

EXAMPLES = [
    Call(RAIN, 0).gives([5.0, 1.0, 3.0]),
    Call(RAIN, 1).gives([4.0, 8.0]),
]


def subject(module):
    """Return the function that make_reducer returns."""
    return module.make_reducer()


def hidden(rng):
    """Other values of the same shape, axes given in other ways, and what is not finite."""
    yield Call(rng.normal(size=(2, 3)).astype(np.float32), 0)
    yield Call(rng.normal(size=(2, 3)).astype(np.float32), axis=1).when("an axis given by name")
    yield Call(rng.normal(size=(2, 2, 2)).astype(np.float32), -1).when(
        "an axis counted from the end"
    )
    yield Call(np.array([[1.0, np.nan, 2.0], [np.inf, 3.0, -1.0]], np.float32), 1).when(
        "NaN and an infinity in x"
    )
    yield Call(np.array([-3.0, 8.0, -5.0], np.float32), 0).when("one axis only")


SQUARE = np.arange(9.0, dtype=np.float32).reshape(3, 3)

PROPERTIES = [
    Traces(
        [Call(SQUARE, 0), Call(SQUARE, 1), Call(-SQUARE, 0), Call(SQUARE * 2, 1)],
        times=2,
        probes=("ptp", "_ptp"),
        says="It is traced once for each of two axes, and not again for other values.",
    ),
]
