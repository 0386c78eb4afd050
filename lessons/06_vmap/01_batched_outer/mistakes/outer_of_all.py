# expects: check values
# says: Your answer has a product of every number with every other, across all rows. Rows should
#     be paired first.
"""Takes the outer product of all numbers with all numbers."""

import jax
import jax.numpy as jnp
import numpy as np


def batched_outer(a, b):
    return jnp.outer(a, b)
