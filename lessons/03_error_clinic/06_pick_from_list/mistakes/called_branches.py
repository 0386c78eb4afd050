# expects: check jaxpr
# says: Your branches are results and not functions. A switch calls them itself.
"""Passes results where functions are required."""

import jax.numpy as jnp
from jax import lax

FUNCTIONS = [jnp.sin, jnp.cos, jnp.tanh]


def apply_kth(i, x):
    return lax.switch(i, [function(x) for function in FUNCTIONS])
