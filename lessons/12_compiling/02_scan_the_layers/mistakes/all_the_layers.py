# expects: check values
# says: Your answer has one `h` for each layer. The network's answer is the last of them, which
#     `scan` also returns as its carry.
"""Returns what was collected, not what was carried."""

import jax.numpy as jnp
from jax import lax


def deep_mlp(stacked, x):
    def layer(h, params):
        h = jnp.tanh(h @ params["W"] + params["b"])
        return h, h

    _, h = lax.scan(layer, x, stacked)
    return h
