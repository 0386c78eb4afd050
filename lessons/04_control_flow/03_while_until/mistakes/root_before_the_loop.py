# expects: check no-root
# says: Your values are right, but the root is computed without Newton's formula, so the loop has
#     nothing to do. Start from a guess that needs no root.
"""Starts at the root, so the loop never runs."""

import jax.numpy as jnp
from jax import lax


def newton_sqrt(x, tol):
    def too_far(y):
        return abs(y * y - x) > tol * x

    return lax.while_loop(too_far, lambda y: y, jnp.sqrt(x))
