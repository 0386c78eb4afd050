"""The short way, and the empty mask afterwards."""

import jax.numpy as jnp


def mean_of_positive(x):
    positive = x > 0
    return jnp.where(positive.any(), jnp.mean(x, where=positive), 0)
