# expects: TypeError at 15
"""Wraps what the block returns instead of the block."""

import jax
import jax.numpy as jnp


def block(x, w):
    h = w @ x
    return x + jnp.tanh(h) * jnp.sin(h)


def deep(x, ws, keep_dots=False):
    for w in ws:
        x = jax.checkpoint(block(x, w))(x, w)
    return x
