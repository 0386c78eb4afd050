# expects: check values
# says: Your answer joins two axes, however many there are. All axes but the last become one.
"""Joins the first two axes, however many there are."""

import jax.numpy as jnp


def merge_leading(x):
    return jnp.vstack(x)
