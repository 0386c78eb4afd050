# expects: remat-argument-not-static at 8
"""Passes the flag to the wrapped function, where it is traced."""

import jax
import jax.numpy as jnp


@jax.checkpoint
def block(x, w, keep):
    h = w @ x
    if keep:
        h = h * 1.0
    return x + jnp.tanh(h) * jnp.sin(h)


def deep(x, ws, keep_dots=False):
    for w in ws:
        x = block(x, w, keep_dots)
    return x
