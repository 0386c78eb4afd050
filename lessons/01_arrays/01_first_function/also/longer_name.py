"""Calls it by its longer name."""

import jax.numpy as jnp


def warmest(degrees):
    return jnp.amax(degrees)
