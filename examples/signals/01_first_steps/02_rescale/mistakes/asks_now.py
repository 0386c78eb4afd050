# expects: traced-bool-in-if at 9
"""Decides while JAX traces."""

import jax.numpy as jnp


def rescale(x):
    lo, hi = x.min(), x.max()
    if lo == hi:
        return jnp.zeros_like(x)
    return (x - lo) / (hi - lo)
