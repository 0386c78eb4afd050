"""NumPy's name for it; the caller owns up that nothing is changed in place."""

import jax.numpy as jnp


def replace_at(x, i, v):
    return jnp.put(x, i, v, inplace=False)
