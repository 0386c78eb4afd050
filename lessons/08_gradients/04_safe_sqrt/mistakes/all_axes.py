# expects: check values
# says: Your answer is one number for the whole array. The length is taken along the last axis, so
#     each vector has its own.
"""Takes the length of the whole array at once."""

import jax.numpy as jnp


def safe_norm(x):
    square = jnp.sum(x**2)
    zero = square == 0
    return jnp.where(zero, 0.0, jnp.sqrt(jnp.where(zero, 1.0, square)))
