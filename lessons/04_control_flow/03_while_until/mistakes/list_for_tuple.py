# expects: loop-carry-structure-mismatch at 14
"""Takes a tuple, and returns a list."""

from jax import lax


def newton_sqrt(x, tol):
    def go_on(carry):
        y, count = carry
        return (abs(y * y - x) > tol * x) & (count < 100)

    def improve(carry):
        y, count = carry
        return [(y + x / y) / 2, count + 1]

    return lax.while_loop(go_on, improve, (x, 0))[0]
