"""What while-until asks for."""

import jax
import numpy as np

from jaxtutor.core.vocabulary import Call, Custom, Traces, Uses, Vmap

EXAMPLES = [
    Call(9.0, 1e-5).gives(3.0),
    Call(2.0, 1e-5).gives(1.41421),
]


def hidden(rng):
    """Small and large numbers, one that is its own root, and one at random."""
    for x in (1e-6, 1.0, 1e6, float(rng.uniform(10, 1000))):
        yield Call(x, 1e-5)


def differentiates(newton_sqrt):
    """Say what is wrong with the derivative at 4, which is 1/4."""
    slope = jax.jit(jax.jacfwd(newton_sqrt))(4.0, 1e-6)
    if abs(float(slope) - 0.25) > 0.005:
        return f"the derivative at 4 is 0.25, and forward mode gives {float(slope):.4g}"
    return None


PROPERTIES = [
    Uses(
        [Call(9.0, 1e-5)],
        primitives=("while",),
        says="Its jaxpr holds a while: the loop is part of the program.",
    ),
    Traces(
        [Call(2.0, 1e-5), Call(900.0, 1e-5), Call(2.0, 1e-3)],
        says="It is traced once for all x and tol.",
    ),
    Vmap(
        [Call(np.array([1.0, 2.0, 900.0], np.float32), 1e-5)],
        in_axes=(0, None),
        says="Under jax.vmap each number has its root.",
    ),
    Custom("derivative", "It has a forward derivative.", differentiates),
]
