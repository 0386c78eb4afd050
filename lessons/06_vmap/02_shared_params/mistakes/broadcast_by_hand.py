# expects: check memory
"""Multiplies with the matrix of each row and sums."""

import jax
import jax.numpy as jnp


def predict(params, x):
    return jnp.tanh(params["w"] @ x + params["b"])


def predict_batch(params, X):
    products = params["w"][None] * X[:, None, :]
    return jnp.tanh(products.sum(axis=-1) + params["b"])
