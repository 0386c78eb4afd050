# expects: check values
# says: Your answer is far off for a tiny `x`: its error is small compared with 1, but not
#     compared with `x`. Measure the error against the size of `x`.
"""Compares the error with tol itself."""

from jax import lax


def newton_sqrt(x, tol):
    def too_far(y):
        return abs(y * y - x) > tol

    return lax.while_loop(too_far, lambda y: (y + x / y) / 2, x)
