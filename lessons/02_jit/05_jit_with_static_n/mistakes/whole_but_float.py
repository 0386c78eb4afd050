# expects: check jit
# says: Your count is still a float, and a float is refused as a count even if it is a whole
#     number.
"""Divides without a remainder, which leaves a float a float."""

import jax
import jax.numpy as jnp


@jax.jit(static_argnames="n")
def jit_with_static_n(x, n):
    return jnp.tile(x, n // 1)
