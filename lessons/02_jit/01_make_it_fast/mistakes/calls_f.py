# expects: check function
"""Hands jit what f returns, where it wants f."""

import jax
import jax.numpy as jnp


def compile_once(f):
    return jax.jit(f(jnp.ones(3)))
