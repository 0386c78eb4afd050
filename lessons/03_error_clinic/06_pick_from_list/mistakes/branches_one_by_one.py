# expects: check jaxpr
# says: Your branches are passed one by one. A switch takes all of them in one list.
"""Passes the branches one by one, not as a list."""

import jax.numpy as jnp
from jax import lax


def apply_kth(i, x):
    return lax.switch(i, jnp.sin, jnp.cos, jnp.tanh, x)
