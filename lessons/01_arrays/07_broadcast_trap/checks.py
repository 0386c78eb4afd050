"""What broadcast-trap requires."""

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
    """Seven at random, a single one, and large ones that hardly differ."""
    for n in (7, 1):
        call = Call(
            rng.normal(size=(n, 1)).astype(np.float32), rng.normal(size=n).astype(np.float32)
        )
        yield call.when("one prediction only") if n == 1 else call
    yield Call(
        np.array([[10000.0], [10001.0], [10002.5]], np.float32),
        np.array([10000.5, 10001.0, 10002.0], np.float32),
    ).when("large numbers with small differences")


def passes_the_guard(mse):
    """Return what the guard says where arrays of different rank are mixed."""
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
