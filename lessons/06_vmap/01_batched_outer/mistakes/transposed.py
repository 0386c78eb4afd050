# expects: check values
# says: Your answer has the two vectors swapped: the row of `a` runs along the first of the two
#     new axes.
"""Writes the indices of the answer in the wrong order."""

import jax.numpy as jnp


def batched_outer(a, b):
    return jnp.einsum("ni,nj->nji", a, b)
