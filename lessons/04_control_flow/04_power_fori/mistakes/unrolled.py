# expects: check equations
# says: Your values are right, but each round adds equations to the program. Use a loop that is
#     part of the program.
"""Loops in Python to the upper limit."""

import jax.numpy as jnp


def power(x, n, max_n):
    product = jnp.ones_like(x)
    for i in range(max_n):
        product = jnp.where(i < n, product * x, product)
    return product
