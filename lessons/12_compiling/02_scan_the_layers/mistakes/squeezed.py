# expects: check values
# says: Your numbers are right, but an axis of length 1 is gone. The answer has the shape of `x`,
#     also for a table of one row.
"""Adds an axis for a single row, and removes all axes of length 1 at the end."""

import jax.numpy as jnp
from jax import lax


def deep_mlp(stacked, x):
    def layer(h, params):
        return jnp.tanh(h @ params["W"] + params["b"]), None

    h, _ = lax.scan(layer, jnp.atleast_2d(x), stacked)
    return jnp.squeeze(h)
