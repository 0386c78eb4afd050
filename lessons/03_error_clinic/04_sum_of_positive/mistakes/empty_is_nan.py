# expects: check values
"""Is right unless no element is positive: 0 / 0."""

import jax.numpy as jnp


def mean_of_positive(x):
    return jnp.mean(x, where=x > 0)
