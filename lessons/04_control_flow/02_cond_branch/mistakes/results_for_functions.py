# expects: check jaxpr
# says: No call ran: `jax.lax.cond` got arrays where it expects functions. An array is work
#     already done; pass a function that would do it.
"""Passes two arrays instead of functions."""

import jax
import jax.numpy as jnp


def maybe_normalize(x, flag):
    return jax.lax.cond(flag, x / jnp.linalg.norm(x), x)
