"""What static-shape-maths requires."""

import jax.numpy as jnp
import numpy as np

from jaxtutor.core.vocabulary import Call, SameSize, Traces, Types

EXAMPLES = [
    Call(np.array([[[1, 2]], [[3, 4]]], np.int32)).gives([[1, 2], [3, 4]]),
    Call(np.array([[[[5], [6]], [[7], [8]]]], np.int32)).gives([[5], [6], [7], [8]]),
]


SHAPES = {
    (4, 3): "two axes",
    (3, 2, 4): "three axes",
    (2, 3, 2, 2): "four axes",
    (2, 3, 0): "an empty last axis",
    (2, 0, 4): "an empty axis among those that are joined",
    (0, 3, 0): "two empty axes",
}


def hidden(rng):
    """Two, three and four axes, and empty ones."""
    for shape, reason in SHAPES.items():
        yield Call(rng.normal(size=shape).astype(np.float32)).when(reason)


CUBE = np.arange(24, dtype=np.float32).reshape(2, 3, 4)

PROPERTIES = [
    Traces(
        [Call(CUBE), Call(CUBE + 1), Call(-CUBE)],
        says="It is traced once for three calls of one shape.",
    ),
    SameSize(
        [Call(CUBE), Call(np.ones((20, 30, 4), np.float32))],
        says="Its jaxpr has no more equations for a large array than for a small one.",
    ),
    Types(
        [Call(CUBE.astype(dtype)) for dtype in (jnp.int32, jnp.bfloat16)],
        says="The answer has the dtype of x.",
    ),
]
