"""Static arguments: repeat an array n times."""

import jax
import jax.numpy as jnp


# n decides the shape of the answer. As it is static, int() sees a Python number.
@jax.jit(static_argnames="n")
def jit_with_static_n(x, n):
    """Return x repeated n times, end to end."""
    return jnp.tile(x, int(n))
