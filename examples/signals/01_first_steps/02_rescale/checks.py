"""The checks of rescale."""

import numpy as np

from jaxtutor.core.vocabulary import Call, Finite, Traces

EXAMPLES = [
    Call(np.array([2.0, 4.0, 3.0], np.float32)).gives([0.0, 1.0, 0.5]),
    Call(np.array([7.0, 7.0], np.float32)).gives([0.0, 0.0]),
]


def hidden(rng):
    """Yield large and small signals, and a single number."""
    for scale in (1.0, 1000.0):
        yield Call((scale * rng.normal(size=5)).astype(np.float32))
    yield Call(np.array([-3.0], np.float32))


PROPERTIES = [
    Traces([Call(np.arange(4, dtype=np.float32)), Call(np.zeros(4, np.float32))]),
    Finite(
        [Call(np.full(3, 7.0, np.float32))],
        gradient=True,
        says="At a flat signal the gradient is a number.",
    ),
]
