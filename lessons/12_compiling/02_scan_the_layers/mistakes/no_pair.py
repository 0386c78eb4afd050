# expects: scan-body-not-pair at 10
"""The step returns the carry alone."""

import jax.numpy as jnp
from jax import lax


def deep_mlp(stacked, x):
    def layer(h, params):
        return jnp.tanh(h @ params["W"] + params["b"])

    return lax.scan(layer, x, stacked)
