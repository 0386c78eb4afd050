# expects: check equations
# says: Your values are right, but each entry adds equations to the program. Map over both
#     arguments.
"""Fills the table with two Python loops."""

import jax
import jax.numpy as jnp


def gram(k, X, Y):
    return jnp.array([[k(x, y) for y in Y] for x in X])
