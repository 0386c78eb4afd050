# expects: check values
# says: Your answer is NaN when no element is positive: it divides 0 by 0. The mean of nothing is
#     0 here.
"""Is right unless no element is positive: 0 / 0."""

import jax.numpy as jnp


def mean_of_positive(x):
    return jnp.mean(x, where=x > 0)
