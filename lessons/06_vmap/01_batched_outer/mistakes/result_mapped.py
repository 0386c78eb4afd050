# expects: check jaxpr
# says: No call ran: `jax.vmap` got an array. It takes a function, and returns a function.
"""Hands vmap the result instead of the function."""

import jax
import jax.numpy as jnp
import numpy as np


def batched_outer(a, b):
    return jax.vmap(jnp.outer(a, b))
