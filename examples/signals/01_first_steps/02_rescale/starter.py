"""From 0 to 1."""

import jax.numpy as jnp


def rescale(x):
    """Return x brought to the range from 0 to 1; a flat signal becomes zeros."""
    lo, hi = x.min(), x.max()
    # TODO: this cannot be compiled.
    if hi == lo:
        return jnp.zeros_like(x)
    return (x - lo) / (hi - lo)
