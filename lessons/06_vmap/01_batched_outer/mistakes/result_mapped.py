# expects: value-instead-of-function at 10
"""Passes the result to vmap instead of the function."""

import jax
import jax.numpy as jnp
import numpy as np


def batched_outer(a, b):
    return jax.vmap(jnp.outer(a, b))
