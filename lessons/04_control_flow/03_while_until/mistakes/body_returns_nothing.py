# expects: missing-return at 11
"""Forgets to return the better guess."""

from jax import lax


def newton_sqrt(x, tol):
    def too_far(y):
        return abs(y * y - x) > tol * x

    def improve(y):
        y = (y + x / y) / 2

    return lax.while_loop(too_far, improve, x)
