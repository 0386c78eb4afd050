# expects: reverse-mode-through-while at 15
"""A while loop, which has no gradient."""

import jax.numpy as jnp
from jax import lax


def deep_mlp(stacked, x):
    depth = len(stacked["b"])

    def layer(state):
        i, h = state
        return i + 1, jnp.tanh(h @ stacked["W"][i] + stacked["b"][i])

    return lax.while_loop(lambda state: state[0] < depth, layer, (0, x))[1]
