# expects: check kept
"""Wraps a part of the block, and keeps the products always."""

import jax
import jax.numpy as jnp


@jax.checkpoint
def wave(h):
    return jnp.tanh(h) * jnp.sin(h)


def deep(x, ws, keep_dots=False):
    for w in ws:
        x = x + wave(w @ x)
    return x
