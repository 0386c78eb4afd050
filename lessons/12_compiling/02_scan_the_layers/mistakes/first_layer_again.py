# expects: check values
# says: Your answer uses the parameters of the first layer in every layer. Each layer has its own.
"""Uses the first layer for all."""

import jax.numpy as jnp
from jax import lax


def deep_mlp(stacked, x):
    def layer(i, h):
        return jnp.tanh(h @ stacked["W"][0] + stacked["b"][0])

    return lax.fori_loop(0, stacked["W"].shape[0], layer, x)
