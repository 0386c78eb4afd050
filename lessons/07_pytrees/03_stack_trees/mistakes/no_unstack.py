# expects: check round-trip
# says: `unstack` is missing.
"""Defines only one of the two functions."""

import jax
import jax.numpy as jnp


def stack(trees):
    return jax.tree.map(lambda *leaves: jnp.stack(leaves), *trees)
