# expects: check values
# says: Your answer adds the bias after `tanh`. It belongs inside.
"""Adds the bias after tanh."""

import jax.numpy as jnp


def predict_batch(params, X):
    return jnp.tanh(X @ params["w"].T) + params["b"]
