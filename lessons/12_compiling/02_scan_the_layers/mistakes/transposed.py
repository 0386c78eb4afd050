# expects: check values
# says: Your answer multiplies with the transpose of each `W`. The problem says `h @ W`.
"""Multiplies from the left."""

import jax.numpy as jnp
from jax import lax


def deep_mlp(stacked, x):
    def layer(h, params):
        return jnp.tanh(h @ params["W"].T + params["b"]), None

    return lax.scan(layer, x, stacked)[0]
