# expects: traced-slice-bounds at 9
"""Cuts each row at its length."""

import jax
import jax.numpy as jnp


def mean(row, length):
    return row[:length].mean()


def masked_mean(X, lengths):
    return jax.vmap(mean)(X, lengths)
