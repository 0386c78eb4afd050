# expects: shape-mismatch-matmul at 10
"""Multiplies the two batches as matrices."""

import jax
import jax.numpy as jnp
import numpy as np


def batched_outer(a, b):
    return jax.vmap(lambda x, y: x @ y)(a, b)
