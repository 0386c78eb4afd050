# expects: check values
# says: Your answer relies on `k` to broadcast. `k` is a function of two vectors, and must be
#     called with vectors.
"""Trusts that the function broadcasts."""

import jax
import jax.numpy as jnp


def gram(k, X, Y):
    return k(X[:, None, :], Y[None, :, :])
