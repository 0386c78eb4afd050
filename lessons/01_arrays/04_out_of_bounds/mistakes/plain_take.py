# expects: check values
# says: Your answer fills, but not with `fill`: it uses the default, NaN or the smallest integer.
"""Fills with NaN."""

import jax.numpy as jnp


def safe_take(x, idx, fill):
    return jnp.take(x, idx)
