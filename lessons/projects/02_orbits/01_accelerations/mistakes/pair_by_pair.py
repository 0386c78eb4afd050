# expects: check equations
# says: Your values are right, but each pair of bodies adds equations to the program. Let one
#     subtraction make the table of all pairs.
"""Loops over the pairs in Python."""

import jax.numpy as jnp


def accelerations(x, m, softening):
    total = jnp.zeros_like(x)
    for i in range(x.shape[0]):
        for j in range(x.shape[0]):
            if i != j:
                apart = x[j] - x[i]
                total = total.at[i].add(m[j] * apart * (apart @ apart + softening**2) ** -1.5)
    return total
