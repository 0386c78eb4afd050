"""What broadcast-trap asks for."""

import jax
import jax.numpy as jnp
import numpy as np

from jaxtutor.core.vocabulary import Call, Custom

EXAMPLES = [
    Call(np.array([[0.0], [1.0], [2.0]], np.float32), np.array([0.0, 1.0, 2.0], np.float32)).gives(
        0.0
    ),
    Call(np.array([[1.0], [3.0]], np.float32), np.array([2.0, 6.0], np.float32)).gives(5.0),
]


def hidden(rng):
    """Seven at random, and a single one."""
    for n in (7, 1):
        yield Call(
            rng.normal(size=(n, 1)).astype(np.float32), rng.normal(size=n).astype(np.float32)
        )


def passes_the_guard(mse):
    """Say where arrays of different rank are mixed."""
    with jax.numpy_rank_promotion("raise"):
        try:
            mse(jnp.ones((3, 1)), jnp.ones(3))
        except ValueError as error:
            if "rank_promotion" in str(error):
                return f"the guard stopped it: {str(error).partition(' and with')[0]}"
            raise
    return None


PROPERTIES = [
    Custom(
        "rank-guard",
        'It runs under jax.numpy_rank_promotion("raise").',
        passes_the_guard,
    ),
]
