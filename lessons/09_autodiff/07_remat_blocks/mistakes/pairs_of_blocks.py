# expects: check kept
# says: Too little is kept: several blocks are recomputed together, so the backward pass has them
#     in memory at once. Each block should be recomputed on its own.
"""Wraps two blocks at a time."""

import jax
import jax.numpy as jnp


def block(x, w):
    h = w @ x
    return x + jnp.tanh(h) * jnp.sin(h)


@jax.checkpoint
def pair(x, a, b):
    return block(block(x, a), b)


def deep(x, ws, keep_dots=False):
    for i in range(0, len(ws) - 1, 2):
        x = pair(x, ws[i], ws[i + 1])
    if len(ws) % 2:
        x = jax.checkpoint(block)(x, ws[-1])
    return x
