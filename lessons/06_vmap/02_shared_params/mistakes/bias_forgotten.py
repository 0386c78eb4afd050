# expects: check values
# says: Your answer leaves out the bias, `params["b"]`.
"""Forgets the bias."""

import jax.numpy as jnp


def predict_batch(params, X):
    return jnp.tanh(X @ params["w"].T)
