# expects: check kept
# says: More than the input of each block is kept: what a block computes inside is not forgotten.
"""Wraps a part of the block, and always keeps the products."""

import jax
import jax.numpy as jnp


@jax.checkpoint
def wave(h):
    return jnp.tanh(h) * jnp.sin(h)


def deep(x, ws, keep_dots=False):
    for w in ws:
        x = x + wave(w @ x)
    return x
