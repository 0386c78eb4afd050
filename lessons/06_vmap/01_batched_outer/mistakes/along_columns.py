# expects: check values
# says: Your answer maps over the columns, and not over the rows: there is one result for each column of
#     the batch.
"""Maps over the columns, whose numbers differ."""

import jax
import jax.numpy as jnp
import numpy as np


def batched_outer(a, b):
    return jax.vmap(jnp.outer, in_axes=1)(a, b)
