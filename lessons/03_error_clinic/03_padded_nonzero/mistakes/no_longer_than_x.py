# expects: check shape
"""Is right as long as there are no more places than elements."""

import jax.numpy as jnp


def positive_indices(x, size):
    return jnp.nonzero(x > 0, size=x.size, fill_value=-1)[0][:size]
