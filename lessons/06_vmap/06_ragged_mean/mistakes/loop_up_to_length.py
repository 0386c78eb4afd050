# expects: range-of-tracer at 10
"""Adds up in a loop of Python."""

import jax
import jax.numpy as jnp


def mean(row, length):
    total = 0.0
    for i in range(length):
        total = total + row[i]
    return total / jnp.maximum(length, 1)


def masked_mean(X, lengths):
    return jax.vmap(mean)(X, lengths)
