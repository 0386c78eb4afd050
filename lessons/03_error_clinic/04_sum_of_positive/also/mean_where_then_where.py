"""The short way, with the empty mask seen to afterwards."""

import jax.numpy as jnp


def mean_of_positive(x):
    positive = x > 0
    return jnp.where(positive.any(), jnp.mean(x, where=positive), 0)
