# expects: check values
# says: Your answer is NaN in `float16` when no element is positive: the number that should keep
#     the divisor from 0 is itself 0 in 16 bits.
"""Keeps the divisor from 0 with a number too small for float16."""

import jax.numpy as jnp


def mean_of_positive(x):
    kept = jnp.where(x > 0, x, 0)
    return kept.sum() / jnp.clip(jnp.sign(kept).sum(), 1e-9)
