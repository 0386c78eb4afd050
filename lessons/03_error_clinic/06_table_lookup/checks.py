"""What table-lookup requires."""

import numpy as np

from jaxtutor.core.vocabulary import Call, Traces, Types, Vmap

EXAMPLES = [
    Call(4).gives(5.5),
    Call(17).gives(32.7),
]


def hidden(rng):
    """The first, the last, some in between, the one past the end, and the largest there is."""
    for force in (0, 12, *rng.integers(1, 12, size=3)):
        yield Call(int(force))
    yield Call(13).when("the force just past the end")
    yield Call(2**31 - 1).when("a huge force")


PROPERTIES = [
    Types([Call(4)], says="The answer is a scalar of dtype float32, as TABLE is."),
    Traces(
        [Call(force) for force in range(10)],
        says="It is traced once for ten different forces.",
    ),
    Vmap(
        [Call(np.arange(18))],
        says="Under jax.vmap it looks up many forces at once.",
    ),
]
