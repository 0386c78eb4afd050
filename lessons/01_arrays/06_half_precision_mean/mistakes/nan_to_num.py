# expects: check values
# says: Your answer replaces what overflowed by some other number. The mean must be computed
#     without the overflow; it cannot be repaired afterwards.
"""Repairs the result instead of the cause."""

import jax.numpy as jnp


def mean_f16(x):
    return jnp.nan_to_num(x.sum() / x.size)
