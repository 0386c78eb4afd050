# expects: while-cond-not-scalar-bool at 14
"""Passes the body first."""

from jax import lax


def newton_sqrt(x, tol):
    def too_far(y):
        return abs(y * y - x) > tol * x

    def improve(y):
        return (y + x / y) / 2

    return lax.while_loop(improve, too_far, x)
