# expects: traced-bool-in-if at 9
"""Looks first whether there are any."""

import jax.numpy as jnp


def mean_of_positive(x):
    count = (x > 0).sum()
    if count == 0:
        return jnp.zeros((), x.dtype)
    return jnp.where(x > 0, x, 0).sum() / count
