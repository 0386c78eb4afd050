# expects: operator-precedence at 9
"""Leaves the parentheses out."""

import jax.numpy as jnp


def safe_take(x, idx, fill):
    n = len(x)
    there = idx >= -n & idx < n
    return jnp.where(there, x[idx], fill)
