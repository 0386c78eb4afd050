"""Static arguments: repeat an array n times."""

import jax
import jax.numpy as jnp


@jax.jit
def jit_with_static_n(x, n):
    """Return x repeated n times, end to end."""
    # TODO: n is a tracer here, and a count has to be a Python integer.
    return jnp.tile(x, n)
