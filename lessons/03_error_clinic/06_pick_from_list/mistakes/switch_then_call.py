# expects: check jaxpr
# says: Your function calls the result of the switch. A switch calls the chosen function itself,
#     with the arguments that follow the list.
"""Expects switch to return a function."""

import jax.numpy as jnp
from jax import lax

FUNCTIONS = [jnp.sin, jnp.cos, jnp.tanh]


def apply_kth(i, x):
    return lax.switch(i, FUNCTIONS)(x)
