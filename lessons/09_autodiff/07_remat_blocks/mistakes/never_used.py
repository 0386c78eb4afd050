# expects: check kept
# says: More than the input of each block is kept: what a block computes inside is not forgotten.
"""Wraps the block, and goes on with the unwrapped one."""

import jax
import jax.numpy as jnp


def block(x, w):
    h = w @ x
    return x + jnp.tanh(h) * jnp.sin(h)


def deep(x, ws, keep_dots=False):
    jax.checkpoint(block)
    for w in ws:
        x = block(x, w)
    return x
