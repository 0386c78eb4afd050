# expects: wrong-static-argnums at 8
"""Names the parameter of another function."""

import jax
import jax.numpy as jnp


@jax.jit(static_argnames="reps")
def jit_with_static_n(x, n):
    return jnp.tile(x, int(n))
