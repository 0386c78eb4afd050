# expects: check values
# says: Your answer has the examples in columns. They should be the rows of the answer.
"""Keeps the rows in the last axis."""

import jax
import jax.numpy as jnp


def predict(params, x):
    return jnp.tanh(params["w"] @ x + params["b"])


def predict_batch(params, X):
    return jax.vmap(predict, in_axes=(None, 0), out_axes=1)(params, X)
