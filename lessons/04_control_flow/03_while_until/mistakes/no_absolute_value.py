# expects: check values
# says: Your loop ends as soon as the square of the guess is too large, however far off it is. The
#     error counts in both directions.
"""Compares without the absolute value."""

import jax


def newton_sqrt(x, tol):
    return jax.lax.while_loop(lambda y: x - y * y > tol * x, lambda y: (y + x / y) / 2, 1.0 + 0 * x)
