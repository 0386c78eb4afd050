"""Static arguments: repeat an array n times."""

import jax.numpy as jnp


def jit_with_static_n(x, n):
    """Return x repeated n times, end to end."""
    # n is static, so int() sees a Python number. On a tracer it would raise.
    return jnp.tile(x, int(n))
