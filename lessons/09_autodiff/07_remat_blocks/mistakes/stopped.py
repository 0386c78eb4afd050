# expects: check gradient
# says: The values are right, but the gradient is not: nothing flows back through the products.
"""Keeps nothing, because no gradient flows through the block."""

import jax
import jax.numpy as jnp


def block(x, w):
    h = jax.lax.stop_gradient(w @ x)
    return x + jnp.tanh(h) * jnp.sin(h)


def deep(x, ws, keep_dots=False):
    for w in ws:
        x = jax.checkpoint(block)(x, w)
    return x
