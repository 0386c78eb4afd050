# expects: check values
"""Takes the length of everything together."""

import jax.numpy as jnp


def safe_norm(x):
    square = jnp.sum(x**2)
    zero = square == 0
    return jnp.where(zero, 0.0, jnp.sqrt(jnp.where(zero, 1.0, square)))
