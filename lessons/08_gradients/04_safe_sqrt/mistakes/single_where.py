# expects: nan-grad-through-where at 9
"""Chooses after the root."""

import jax.numpy as jnp


def safe_norm(x):
    square = jnp.sum(x**2, axis=-1)
    return jnp.where(square > 0, jnp.sqrt(square), 0.0)
