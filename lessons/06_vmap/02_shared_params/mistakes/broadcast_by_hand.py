# expects: check memory
# says: Your values are right, but an array with an element for each row, output and input is made
#     on the way. Sharing needs no such array.
"""Multiplies with the matrix of each row and sums."""

import jax
import jax.numpy as jnp


def predict(params, x):
    return jnp.tanh(params["w"] @ x + params["b"])


def predict_batch(params, X):
    products = params["w"][None] * X[:, None, :]
    return jnp.tanh(products.sum(axis=-1) + params["b"])
