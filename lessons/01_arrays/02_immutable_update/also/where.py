"""Chooses between v and the old element at each place."""

import jax.numpy as jnp


def replace_at(x, i, v):
    return jnp.where(jnp.arange(x.shape[0]) == i, v, x)
