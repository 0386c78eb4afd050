# expects: check finite
"""Hides the division by zero from the result, but not from the gradient."""

import jax.numpy as jnp


def rescale(x):
    lo, hi = x.min(), x.max()
    return jnp.where(hi == lo, 0.0, (x - lo) / (hi - lo))
