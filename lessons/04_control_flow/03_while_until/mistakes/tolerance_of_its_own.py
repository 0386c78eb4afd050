# expects: check tolerance
# says: Your answer is as exact for a large `tol` as for a small one: the loop does not look at
#     `tol`. It should stop as soon as the error is at most `tol * x`.
"""Goes on until a tolerance of its own is reached."""

from jax import lax


def newton_sqrt(x, tol):
    def too_far(y):
        return abs(y * y - x) > 1e-6 * x

    return lax.while_loop(too_far, lambda y: (y + x / y) / 2, x)
