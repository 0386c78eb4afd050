"""Gives the mask to the reduction."""

import jax.numpy as jnp


def mean_of_positive(x):
    positive = x > 0
    return jnp.sum(x, where=positive) / jnp.maximum(jnp.count_nonzero(positive), 1)
