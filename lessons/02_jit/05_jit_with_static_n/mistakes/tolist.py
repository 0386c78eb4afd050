# expects: tolist-on-tracer at 10
"""Asks for the values, to repeat them in a list."""

import jax
import jax.numpy as jnp


@jax.jit(static_argnames="n")
def jit_with_static_n(x, n):
    return jnp.array(x.tolist() * int(n))
