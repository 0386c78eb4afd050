# expects: check values
"""Joins the first two axes, however many there are."""

import jax.numpy as jnp


def merge_leading(x):
    return jnp.vstack(x)
