# expects: check dtype
# says: Your answer does not keep the dtype of `x`: an array with a dtype of its own took part in
#     it. The elements of `x` should meet nothing but `v`.
"""Chooses between x and an array of another dtype."""

import jax.numpy as jnp


def replace_at(x, i, v):
    return jnp.where(jnp.arange(x.shape[0]) == i, jnp.full(x.shape, v, jnp.float32), x)
