# expects: check values
"""Leaves the padding to JAX, which pads with 0, an index like any other."""

import jax.numpy as jnp


def positive_indices(x, size):
    return jnp.nonzero(x > 0, size=size)[0]
