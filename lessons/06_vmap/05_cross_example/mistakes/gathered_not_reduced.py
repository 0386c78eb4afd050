# expects: check values
"""Gathers the batch and subtracts all of it."""

import jax
import jax.numpy as jnp


def center(x):
    return x - jax.lax.all_gather(x, "batch")
