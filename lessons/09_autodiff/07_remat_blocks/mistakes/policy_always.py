# expects: check kept
"""Keeps products always."""

import jax
import jax.numpy as jnp


def block(x, w):
    h = w @ x
    return x + jnp.tanh(h) * jnp.sin(h)


def deep(x, ws, keep_dots=False):
    for w in ws:
        x = jax.checkpoint(block, policy=jax.checkpoint_policies.dots_saveable)(x, w)
    return x
