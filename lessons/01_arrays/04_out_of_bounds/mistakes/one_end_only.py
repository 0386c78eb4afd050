# expects: check values
# says: Your answer is right past the end, but not before the beginning: an index below `-n` has
#     no place either.
"""Forgets that an index can be too far from the end."""

import jax.numpy as jnp


def safe_take(x, idx, fill):
    return jnp.where(idx < len(x), x[idx], fill)
