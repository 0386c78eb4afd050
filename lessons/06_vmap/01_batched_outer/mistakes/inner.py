# expects: check values
# says: Your answer uses the first column of each only. Each element should be a product of one
#     number of the row of `a` and one of the row of `b`.
"""Takes the inner product instead."""

import jax
import jax.numpy as jnp
import numpy as np


def batched_outer(a, b):
    return jax.vmap(jnp.inner)(a[:, :1], b[:, :1])
