# expects: nan-grad-through-where at 8
"""Repairs the value with a single where."""

import jax.numpy as jnp


def log1pexp(x):
    return jnp.where(x > 50, x, jnp.log1p(jnp.exp(x)))
