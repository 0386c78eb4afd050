# expects: check values
# says: Your answer treats every negative index as out of bounds. The places `-n` to `-1` exist,
#     counted from the end.
"""Treats every negative index as out of bounds."""

import jax.numpy as jnp


def safe_take(x, idx, fill):
    return jnp.where((idx >= 0) & (idx < len(x)), x[idx], fill)
