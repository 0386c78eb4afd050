"""From 0 to 1."""

import jax.numpy as jnp


def rescale(x):
    """Return x brought to the range from 0 to 1; a flat signal becomes zeros."""
    lo, hi = x.min(), x.max()
    width = jnp.where(hi == lo, 1, hi - lo)  # never zero, so the gradient is never nan
    return (x - lo) / width
