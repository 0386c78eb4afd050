# expects: check values
# says: Your layers all work on `x` side by side. Each layer needs the `h` of the layer before it.
"""All layers at once, side by side instead of in turn."""

import jax.numpy as jnp
from jax import lax


def deep_mlp(stacked, x):
    h = jnp.tanh(jnp.einsum("...i,lij->l...j", x, stacked["W"]).mean(0) + stacked["b"].mean(0))
    return h
