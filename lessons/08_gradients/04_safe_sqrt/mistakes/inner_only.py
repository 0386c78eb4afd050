# expects: check values
# says: A vector of zeros comes out with the length of the number that you put in its place. That
#     has to be corrected after the root.
"""Chooses before the root only."""

import jax.numpy as jnp


def safe_norm(x):
    square = jnp.sum(x**2, axis=-1)
    return jnp.sqrt(jnp.where(square == 0, 1.0, square))
