"""What padded-nonzero asks for."""

import numpy as np

from jaxtutor.core.vocabulary import Call, Traces, Types, Vmap

STATIC = ("size",)

THREE = np.array([3.0, -7.0, 0.5], np.float32)
SIX = np.array([-1.0, 2.0, np.nan, 0.0, 5.0, 1.0], np.float32)

EXAMPLES = [
    Call(THREE, 2).gives([0, 2]),
    Call(THREE, 4).gives([0, 2, -1, -1]),
]


def hidden(rng):
    """Fewer finds than places, more finds than places, none at all."""
    yield Call(SIX, 4)
    yield Call(rng.normal(size=6).astype(np.float32), 4)
    yield Call(np.abs(SIX) + 1, 4)
    yield Call(np.full(6, -1.0, np.float32), 4)


PROPERTIES = [
    Types(
        [Call(SIX, 4)], weak=False, says="The answer has `size` elements, and its dtype is int32."
    ),
    Traces(
        [Call(SIX, 4), Call(-SIX, 4), Call(SIX * 2, 4)],
        says="It is traced once for three calls of one size.",
    ),
    Vmap(
        [Call(np.stack([SIX, -SIX]), size=4)],
        says="Under jax.vmap each row has its own finds and its own padding.",
    ),
]
