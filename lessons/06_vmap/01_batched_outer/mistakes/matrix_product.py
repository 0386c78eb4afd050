# expects: check values
# says: Your answer multiplies the two batches as matrices. Each row of `a` meets only the row of `b` in the
#     same place, and every pair of their numbers counts.
"""Multiplies the two batches as matrices."""

import jax
import jax.numpy as jnp
import numpy as np


def batched_outer(a, b):
    return jax.vmap(lambda x, y: x @ y)(a, b)
