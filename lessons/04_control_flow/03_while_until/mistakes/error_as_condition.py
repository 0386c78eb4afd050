# expects: while-cond-not-scalar-bool at 9
"""Returns the error instead of a boolean."""

from jax import lax


def newton_sqrt(x, tol):
    def too_far(y):
        return abs(y * y - x) - tol * x

    def improve(y):
        return (y + x / y) / 2

    return lax.while_loop(too_far, improve, x)
