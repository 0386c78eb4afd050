# expects: vmap-in-axes-mismatch at 13
"""Gives in_axes an entry for each array of the dictionary."""

import jax
import jax.numpy as jnp


def predict(params, x):
    return jnp.tanh(params["w"] @ x + params["b"])


def predict_batch(params, X):
    return jax.vmap(predict, in_axes=(None, None, 0))(params, X)
