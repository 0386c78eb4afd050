# expects: check values
# says: Your layers are linear: `tanh` is missing.
"""Forgets tanh."""

import jax


def deep_mlp(stacked, x):
    def layer(h, weights):
        W, b = weights["W"], weights["b"]
        return h @ W + b, None

    return jax.lax.scan(layer, x, stacked)[0]
