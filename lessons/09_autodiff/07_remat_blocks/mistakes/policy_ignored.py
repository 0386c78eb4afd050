# expects: check kept-dots
"""Keeps inputs only, whatever is asked for."""

import jax
import jax.numpy as jnp


@jax.checkpoint
def block(x, w):
    h = w @ x
    return x + jnp.tanh(h) * jnp.sin(h)


def deep(x, ws, keep_dots=False):
    for w in ws:
        x = block(x, w)
    return x
