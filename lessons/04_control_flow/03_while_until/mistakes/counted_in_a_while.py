# expects: check tolerance
# says: Your answer is as exact for a large `tol` as for a small one: the loop does not look at
#     `tol`. It should stop as soon as the error is at most `tol * x`.
"""Counts forty rounds in a while_loop."""

from jax import lax


def newton_sqrt(x, tol):
    def step(carry):
        y, count = carry
        return (y + x / y) / 2, count + 1

    return lax.while_loop(lambda carry: carry[1] < 40, step, (x, 0))[0]
