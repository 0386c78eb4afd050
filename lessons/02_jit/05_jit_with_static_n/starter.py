"""Static arguments: repeat an array n times."""

import jax.numpy as jnp


def jit_with_static_n(x, n):
    """Return x repeated n times, end to end."""
    # TODO: n arrives as a float, and a count has to be an integer.
    return jnp.tile(x, n)
