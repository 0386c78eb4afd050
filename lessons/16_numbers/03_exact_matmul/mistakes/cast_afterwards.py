# expects: check sums
# says: For inputs in `bfloat16` your product is `bfloat16`, and the cast comes after it. What was
#     rounded away by then does not come back.
"""Casts the result."""

import jax.numpy as jnp


def exact_matmul(a, b):
    return jnp.matmul(a, b, precision="highest").astype(jnp.float32)
