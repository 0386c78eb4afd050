"""The network: a list of layers."""

from itertools import pairwise

import jax
import jax.numpy as jnp


def init(key, sizes):
    """Return a list with a layer for each two neighbouring sizes: {"w": (a, b), "b": (b,)}."""
    params = []
    for a, b in pairwise(sizes):
        # TODO: all layers draw with one key, and the scale is that of no layer.
        params.append({"w": jax.random.normal(key, (a, b)), "b": jnp.zeros(b)})
    return params
