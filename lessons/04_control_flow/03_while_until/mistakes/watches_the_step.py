# expects: check tolerance
# says: Your loop looks at how far the guess moves, and compares that with `tol` itself. The error
#     of the square counts, in proportion to `x`.
"""Stops when the guess hardly moves."""

import jax


def newton_sqrt(x, tol):
    def body(y):
        return (y + x / y) / 2

    return jax.lax.while_loop(lambda y: abs(y - (y + x / y) / 2) > tol, body, x * 1.0)
