"""The primitive for a place known only when the program runs; it requires equal dtypes."""

import jax.numpy as jnp
from jax import lax


def replace_at(x, i, v):
    return lax.dynamic_update_index_in_dim(x, jnp.asarray(v, x.dtype), i, axis=0)
