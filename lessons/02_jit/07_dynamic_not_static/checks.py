"""What dynamic-not-static requires."""

import numpy as np

from jaxtutor.core.vocabulary import Call, Gradient, Traces

JIT = False


def subject(module):
    """Make g once, as a user would."""
    return module.make_scaled()


EXAMPLES = [
    Call(np.array([1.0, 2.0, 3.0], np.float32), 2.0).gives([0.0, 2.0, 4.0]),
    Call(np.array([10.0, 20.0, 60.0], np.float32), 0.5).gives([20.0, 25.0, 45.0]),
]


def hidden(rng):
    """No contrast, a negative one, and an outlier."""
    x = rng.normal(size=3).astype(np.float32)
    yield Call(x, 0.0).when("s = 0")
    yield Call(x, -1.5).when("a negative s")
    yield Call(np.array([0.0, 1.0, 2.0, 3.0, 94.0], np.float32), 3.0).when(
        "an outlier, so that mean and median differ"
    )


FOUR = np.array([1.0, 5.0, 2.0, 8.0], np.float32)

PROPERTIES = [
    Traces(
        [Call(FOUR, step / 10) for step in range(10)],
        says="Ten calls with ten values of s trace it once.",
    ),
    Gradient(
        [Call(FOUR, np.float32(0.5))],
        argnums=1,
        says="It can be differentiated with respect to s, as any input can.",
    ),
]
