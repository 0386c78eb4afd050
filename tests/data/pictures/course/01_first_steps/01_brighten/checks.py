"""What brighten asks for."""

import numpy as np

from jaxtutor.core.vocabulary import Call, Traces, Vmap

PIXELS = np.array([0.1, 0.5, 0.75, 0.9], np.float32)

EXAMPLES = [
    Call(PIXELS, np.float32(0.8)).gives(np.array([0.3, 0.7, 0.8, 0.8], np.float32)),
]


def hidden(rng):
    """Images of two shapes."""
    yield Call(rng.uniform(size=3).astype(np.float32), np.float32(0.9))
    yield Call(rng.uniform(size=(2, 2)).astype(np.float32), np.float32(0.5))


PROPERTIES = [
    Traces([Call(PIXELS, np.float32(0.8)), Call(PIXELS, np.float32(0.4))], says="It is traced once for two limits."),
    Vmap([Call(PIXELS.reshape(2, 2), np.float32([0.8, 0.4]))], says="Under jax.vmap each row has its own limit."),
]
