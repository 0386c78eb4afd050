# expects: check primitive
# says: Your values are right, but there is no loop: the library computed the root. Improve a
#     guess with Newton's formula until the error is small enough.
"""Lets the library do it, without a loop."""

import jax.numpy as jnp


def newton_sqrt(x, tol):
    return jnp.sqrt(x)
