# expects: missing-static-size at 9
"""Marks the finds, then drops repeated marks; how many are left depends on the values."""

import jax.numpy as jnp


def positive_indices(x, size):
    marked = jnp.where(x > 0, jnp.arange(x.size), -1)
    return jnp.unique(marked)[1:][:size]
