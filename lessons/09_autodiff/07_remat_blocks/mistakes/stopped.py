# expects: check gradient
"""Keeps nothing, because nothing is asked for on the way back."""

import jax
import jax.numpy as jnp


def block(x, w):
    h = jax.lax.stop_gradient(w @ x)
    return x + jnp.tanh(h) * jnp.sin(h)


def deep(x, ws, keep_dots=False):
    for w in ws:
        x = jax.checkpoint(block)(x, w)
    return x
