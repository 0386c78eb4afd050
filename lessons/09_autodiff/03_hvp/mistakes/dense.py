# expects: check values
"""Builds the matrix; for a tree it is a tree of blocks."""

import jax


def hvp(f, x, v):
    return jax.hessian(f)(x) @ v
