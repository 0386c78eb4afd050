"""What padded-nonzero asks for."""

import numpy as np

from jaxtutor.core.vocabulary import Call, Traces, Types, Vmap

STATIC = ("size",)

THREE = np.array([3.0, -7.0, 0.5], np.float32)

EXAMPLES = [
    Call(THREE, 2).gives([0, 2]),
    Call(THREE, 4).gives([0, 2, -1, -1]),
]


def hidden(rng):
    """More finds than places, one find at the end, none at all, NaN and zero."""
    yield Call(np.abs(rng.normal(size=3)).astype(np.float32), 2)
    yield Call(np.array([-1.0, np.nan, 5.0], np.float32), 2)
    yield Call(np.array([-1.0, 0.0, -5.0], np.float32), 4)
    yield Call(rng.normal(size=3).astype(np.float32), 4)


PROPERTIES = [
    Types(
        [Call(THREE, 4)], weak=False, says="The answer has `size` elements, and its dtype is int32."
    ),
    Traces(
        [Call(THREE, 4), Call(-THREE, 4), Call(THREE * 2, 4)],
        says="It is traced once for three calls of one size.",
    ),
    Vmap(
        [Call(np.stack([THREE, -THREE]), size=2)],
        says="Under jax.vmap each row has its own finds and its own padding.",
    ),
]
