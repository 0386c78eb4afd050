# expects: check jaxpr
"""Hands over two arrays."""

import jax
import jax.numpy as jnp


def maybe_normalize(x, flag):
    return jax.lax.cond(flag, x / jnp.linalg.norm(x), x)
