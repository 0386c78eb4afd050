# expects: check values
"""Knows one function only."""

import jax
import jax.numpy as jnp


def gram(k, X, Y):
    return X @ Y.T
