# expects: check values
# says: Your answer is the first guess, hardly improved. The loop goes on while its condition is
#     true, so the condition must be true while the guess is still bad.
"""Goes on while it is good enough."""

from jax import lax


def newton_sqrt(x, tol):
    def good_enough(y):
        return abs(y * y - x) <= tol * x

    def improve(y):
        return (y + x / y) / 2

    return lax.while_loop(good_enough, improve, x)
