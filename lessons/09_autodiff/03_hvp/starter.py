"""Curvature without the matrix: the Hessian times a vector."""

import jax


def hvp(f, x, v):
    """Return the Hessian of f at x, times v."""
    # TODO: this is right for an array, but it builds the whole matrix first.
    return jax.hessian(f)(x) @ v
