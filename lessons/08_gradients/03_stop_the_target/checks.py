"""What stop-the-target asks for."""

import numpy as np

from jaxtutor.core.vocabulary import Call, Gradient, Traces

A = np.array([1.0, 0.0], np.float32)
B = np.array([0.0, 1.0], np.float32)
PARAMS = np.array([1.0, 2.0], np.float32)

EXAMPLES = [
    Call(PARAMS, A, 1.0, B).gives(3.24),
    Call(PARAMS, B, 0.0, A).gives(1.21),
]


def hidden(rng):
    """Three features, and a state that leads to itself."""
    params, s, s2 = rng.normal(size=(3, 3)).astype(np.float32)
    yield Call(params, s, 0.5, s2)
    yield Call(params, s, -1.0, s).when("a state that leads to itself")


PROPERTIES = [
    Gradient(
        [
            Call(PARAMS, A, 1.0, B),
            Call(PARAMS, B, 0.0, A),
            Call(PARAMS, A, 2.0, A).when("a state that leads to itself"),
        ],
        says="Its gradient with respect to params goes through the prediction alone.",
    ),
    Traces(
        [Call(PARAMS * scale, A, 1.0, B) for scale in (1, 2, 3)],
        says="It is traced once for three sets of parameters.",
    ),
]
