# expects: check values
"""Trusts that the function broadcasts."""

import jax
import jax.numpy as jnp


def gram(k, X, Y):
    return k(X[:, None, :], Y[None, :, :])
