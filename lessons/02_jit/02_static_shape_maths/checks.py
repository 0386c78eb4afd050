"""What static-shape-maths asks for."""

import numpy as np

from jaxtutor.core.vocabulary import Call, SameSize, Traces

EXAMPLES = [
    Call(np.array([[[1, 2]], [[3, 4]]], np.int32)).gives([[1, 2], [3, 4]]),
    Call(np.array([[[[5], [6]], [[7], [8]]]], np.int32)).gives([[5], [6], [7], [8]]),
]


def hidden(rng):
    """Two, three and four axes, and empty ones."""
    for shape in ((4, 3), (3, 2, 4), (2, 3, 2, 2), (2, 3, 0)):
        yield Call(rng.normal(size=shape).astype(np.float32))


CUBE = np.arange(24, dtype=np.float32).reshape(2, 3, 4)

PROPERTIES = [
    Traces(
        [Call(CUBE), Call(CUBE + 1), Call(-CUBE)],
        says="It is traced once for three calls of one shape.",
    ),
    SameSize([Call(CUBE), Call(np.ones((20, 30, 4), np.float32))]),
]
