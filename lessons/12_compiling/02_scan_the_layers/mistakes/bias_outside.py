# expects: check values
# says: Your answer adds the bias after `tanh`. It belongs inside.
"""Adds the bias after tanh."""

import jax
import jax.numpy as jnp


def deep_mlp(stacked, x):
    def layer(h, weights):
        W, b = weights["W"], weights["b"]
        return jnp.tanh(h @ W) + b, None

    return jax.lax.scan(layer, x, stacked)[0]
