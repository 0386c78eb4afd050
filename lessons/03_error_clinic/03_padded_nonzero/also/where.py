"""`jnp.where` with one array searches as `jnp.nonzero` does."""

import jax.numpy as jnp


def positive_indices(x, size):
    return jnp.where(x > 0, size=size, fill_value=-1)[0]
