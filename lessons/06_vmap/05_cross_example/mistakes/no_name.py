# expects: check jaxpr
"""Leaves the name out."""

import jax
import jax.numpy as jnp


def center(x):
    return x - jax.lax.pmean(x)
