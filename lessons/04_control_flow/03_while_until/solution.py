"""Loop until it is good enough: a square root by Newton's method."""

from jax import lax


def newton_sqrt(x, tol):
    """Return y with abs(y * y - x) at most tol * x."""

    def too_far(y):
        return abs(y * y - x) > tol * x

    def improve(y):
        return (y + x / y) / 2

    # The loop is part of the program; both functions can use x and tol.
    return lax.while_loop(too_far, improve, x)
