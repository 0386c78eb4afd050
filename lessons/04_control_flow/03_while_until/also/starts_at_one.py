"""Starts from a plain 1, which becomes a float."""

import jax


def newton_sqrt(x, tol):
    return jax.lax.while_loop(lambda y: abs(y * y - x) > tol * x, lambda y: (y + x / y) / 2, 1)
