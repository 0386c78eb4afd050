# expects: check kept
# says: Too little is kept: all blocks are recomputed together, so the backward pass has all of
#     them in memory at once. Each block should be recomputed on its own.
"""Wraps all blocks together."""

from functools import partial

import jax
import jax.numpy as jnp


def block(x, w):
    h = w @ x
    return x + jnp.tanh(h) * jnp.sin(h)


def deep(x, ws, keep_dots=False):
    policy = jax.checkpoint_policies.dots_saveable if keep_dots else None

    @partial(jax.checkpoint, policy=policy)
    def whole(x, ws):
        for w in ws:
            x = block(x, w)
        return x

    return whole(x, ws)
