# expects: check values
# says: Any vector that has a 0 in it gets the length 0. Only a vector of nothing but zeros should.
"""Takes a vector with one zero for a vector of zeros."""

import jax.numpy as jnp


def safe_norm(x):
    zero = x == 0
    inside = jnp.where(zero, 1.0, x)
    return jnp.where(zero.any(-1), 0.0, jnp.sqrt(jnp.sum(inside**2, axis=-1)))
