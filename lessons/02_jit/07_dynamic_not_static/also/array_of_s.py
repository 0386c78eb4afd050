"""Passes s as an array, whatever it was."""

import jax
import jax.numpy as jnp


def make_scaled():
    compiled = jax.jit(lambda x, s: x.mean() + s * (x - x.mean()))
    return lambda x, s: compiled(x, jnp.asarray(s, x.dtype))
