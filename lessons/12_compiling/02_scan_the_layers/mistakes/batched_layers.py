# expects: check values
"""All layers at once, which is no depth."""

import jax.numpy as jnp
from jax import lax


def deep_mlp(stacked, x):
    h = jnp.tanh(jnp.einsum("...i,lij->l...j", x, stacked["W"]).mean(0) + stacked["b"].mean(0))
    return h
