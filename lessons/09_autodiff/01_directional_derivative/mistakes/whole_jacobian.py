# expects: check values
"""Builds the whole matrix for one product, and only for arrays."""

import jax


def directional(f, x, v):
    return jax.jacfwd(f)(x) @ v
