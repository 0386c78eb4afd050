# expects: vmap-keyword-argument at 13
"""Passes the rows by their keyword."""

import jax
import jax.numpy as jnp


def predict(params, x):
    return jnp.tanh(params["w"] @ x + params["b"])


def predict_batch(params, X):
    return jax.vmap(predict, in_axes=(None, 0))(params, x=X)
