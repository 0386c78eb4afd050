# expects: shape-mismatch-broadcast at 9
"""Calls the function for one with all rows."""

import jax
import jax.numpy as jnp


def predict(params, x):
    return jnp.tanh(params["w"] @ x + params["b"])


def predict_batch(params, X):
    return predict(params, X)
