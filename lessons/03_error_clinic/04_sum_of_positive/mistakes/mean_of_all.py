# expects: check values
# says: Your answer divides by the number of all elements. Only the positive ones count, in the
#     sum and in the divisor.
"""Puts zeros where the mask is false, and counts them too."""

import jax.numpy as jnp


def mean_of_positive(x):
    return jnp.where(x > 0, x, 0).mean()
