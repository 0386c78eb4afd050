# expects: vmap-non-array at 10
"""Maps over a list of numbers."""

import jax
import jax.numpy as jnp
import numpy as np


def batched_outer(a, b):
    return jax.vmap(lambda i: jnp.outer(a[i], b[i]))(list(range(len(a))))
