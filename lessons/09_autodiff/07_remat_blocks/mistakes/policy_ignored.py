# expects: check kept-dots
# says: Without `keep_dots` your answer is right. With it, only the inputs are kept: the products
#     are missing.
"""Keeps inputs only, whatever keep_dots says."""

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
