# expects: check values
"""Swaps the two vectors."""

import jax
import jax.numpy as jnp
import numpy as np


def batched_outer(a, b):
    return jax.vmap(jnp.outer)(b, a)
