# expects: check jaxpr
# says: Your index is a boolean. A switch takes an integer; for a boolean there is `cond`.
"""Passes a comparison as an index."""

import jax.numpy as jnp
from jax import lax

FUNCTIONS = [jnp.sin, jnp.cos, jnp.tanh]


def apply_kth(i, x):
    return lax.switch(i > 0, FUNCTIONS, x)
