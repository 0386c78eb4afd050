# expects: check values
"""Forgets that an index can be too far from the end."""

import jax.numpy as jnp


def safe_take(x, idx, fill):
    return jnp.where(idx < len(x), x[idx], fill)
