# expects: check tolerance
# says: Your answer depends on how far the guess moves, not on how far its square is from `x`. For
#     a tiny `x` every step is small, so the loop stops too early.
"""Stops when the guess moves by less than tol."""

from jax import lax


def newton_sqrt(x, tol):
    def still_moves(carry):
        y, old = carry
        return abs(y - old) > tol

    def improve(carry):
        y, _ = carry
        return (y + x / y) / 2, y

    return lax.while_loop(still_moves, improve, (x * 1.0, x + 1.0))[0]
