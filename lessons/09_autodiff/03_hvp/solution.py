"""Curvature without the matrix: the Hessian times a vector."""

import jax


def hvp(f, x, v):
    """Return the Hessian of f at x, times v."""
    # Forward over reverse: how the gradient changes when x moves along v.
    _, product = jax.jvp(jax.grad(f), (x,), (v,))
    return product
