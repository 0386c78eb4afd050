# expects: check values
"""Takes the outer product of all numbers with all numbers."""

import jax
import jax.numpy as jnp
import numpy as np


def batched_outer(a, b):
    return jnp.outer(a, b)
