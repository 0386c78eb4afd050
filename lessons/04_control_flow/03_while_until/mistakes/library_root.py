# expects: check primitive
"""Lets the library do it, without a loop."""

import jax.numpy as jnp


def newton_sqrt(x, tol):
    return jnp.sqrt(x)
