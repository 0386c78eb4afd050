# expects: check values
"""Writes the formula down."""

import jax.numpy as jnp


def log1pexp(x):
    return jnp.log(1 + jnp.exp(x))
