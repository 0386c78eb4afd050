"""Pads with the array itself, as often as needed."""

import jax
import jax.numpy as jnp


@jax.jit(static_argnames="n")
def jit_with_static_n(x, n):
    return jnp.pad(x, (0, len(x) * (round(n) - 1)), mode="wrap")
