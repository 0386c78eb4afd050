# expects: check values
# says: Your answer has the two vectors swapped: the row of `a` runs along the first of the two
#     new axes.
"""Swaps the two vectors."""

import jax
import jax.numpy as jnp
import numpy as np


def batched_outer(a, b):
    return jax.vmap(jnp.outer)(b, a)
