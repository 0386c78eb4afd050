# expects: check values
# says: Your answer multiplies each row of `a` with the sum of all rows of `b`. Each row belongs to
#     the row of the same number.
"""Adds up the rows of b."""

import jax.numpy as jnp


def batched_outer(a, b):
    return jnp.einsum("nd,km->ndm", a, b)
