# expects: check equations
# says: Your values are right, but each step adds equations to the program. With
#     `associative_scan` the program grows with the logarithm of the length.
"""Loops in Python."""

import jax.numpy as jnp


def recur(a, b):
    h, all_h = jnp.zeros_like(b[0]), []
    for t in range(len(a)):
        h = a[t] * h + b[t]
        all_h.append(h)
    return jnp.stack(all_h)
