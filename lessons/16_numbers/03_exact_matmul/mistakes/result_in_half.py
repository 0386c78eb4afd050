# expects: check values
# says: For inputs in `bfloat16` your answer is rounded to `bfloat16`.
"""Asks for the precision only."""

import jax.numpy as jnp


def exact_matmul(a, b):
    return jnp.matmul(a, b, precision="highest")
