# expects: check equations
# says: Your values are right, but each row adds equations to the program. Map over the rows
#     instead.
"""Loops over the rows in Python."""

import jax
import jax.numpy as jnp


def masked_mean(X, lengths):
    means = []
    for row, length in zip(X, lengths, strict=True):
        inside = jnp.arange(row.size) < length
        means.append(jnp.where(inside, row, 0).sum() / jnp.maximum(length, 1))
    return jnp.stack(means)
