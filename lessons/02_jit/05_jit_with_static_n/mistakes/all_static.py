# expects: unhashable-static at 8
"""Makes every argument static."""

import jax
import jax.numpy as jnp


@jax.jit(static_argnames=("x", "n"))
def jit_with_static_n(x, n):
    return jnp.tile(x, int(n))
