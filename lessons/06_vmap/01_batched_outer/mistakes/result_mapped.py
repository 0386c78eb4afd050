# expects: check jaxpr
# says: No call ran: `jax.vmap` got an array. It takes a function, and returns a function.
"""Passes the result to vmap instead of the function."""

import jax
import jax.numpy as jnp
import numpy as np


def batched_outer(a, b):
    return jax.vmap(jnp.outer(a, b))
