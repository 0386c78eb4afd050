# expects: traced-slice-bounds at 8
"""Joins what comes before, the new element, and what comes after."""

import jax.numpy as jnp


def replace_at(x, i, v):
    return jnp.concatenate([x[:i], jnp.array([v]), x[i + 1 :]])
