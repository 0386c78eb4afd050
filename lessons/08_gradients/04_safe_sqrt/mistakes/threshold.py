# expects: check gradient-elsewhere
# says: Your gradient is 0 for vectors that are merely short. There is a threshold in your answer
#     that is larger than they are; only a vector of zeros is an exception.
"""Takes short vectors for zero."""

import jax.numpy as jnp


def safe_norm(x):
    square = jnp.sum(x**2, axis=-1)
    small = square < 1e-12
    return jnp.where(small, 0.0, jnp.sqrt(jnp.where(small, 1.0, square)))
