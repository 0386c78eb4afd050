"""What table-lookup asks for."""

import numpy as np

from jaxtutor.core.vocabulary import Call, Traces, Types, Vmap

EXAMPLES = [
    Call(4).gives(5.5),
    Call(17).gives(32.7),
]


def hidden(rng):
    """The first, the last, the one after it, and some in between."""
    for force in (0, 12, 13, *rng.integers(1, 12, size=3)):
        yield Call(int(force))


PROPERTIES = [
    Types([Call(4)], says="The answer is a scalar of dtype float32, as TABLE is."),
    Traces(
        [Call(force) for force in range(10)],
        says="It is traced once for ten forces.",
    ),
    Vmap(
        [Call(np.array([0, 5, 12, 17]))],
        says="Under jax.vmap it looks up many forces at once.",
    ),
]
