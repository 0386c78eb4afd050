# expects: check kept
# says: More than the input of each block is kept: what a block computes inside is not forgotten.
"""Always keeps the products."""

import jax
import jax.numpy as jnp


def block(x, w):
    h = w @ x
    return x + jnp.tanh(h) * jnp.sin(h)


def deep(x, ws, keep_dots=False):
    for w in ws:
        x = jax.checkpoint(block, policy=jax.checkpoint_policies.dots_saveable)(x, w)
    return x
