# expects: tolist-on-tracer at 8
"""Asks for the values, to repeat them in a list."""

import jax.numpy as jnp


def jit_with_static_n(x, n):
    return jnp.array(x.tolist() * int(n))
