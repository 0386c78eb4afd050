# expects: check values
# says: Your answer shares the examples and maps over the parameters. It should be the other way
#     round.
"""Shares the rows and maps over the parameters."""

import jax
import jax.numpy as jnp


def predict(params, x):
    return jnp.tanh(params["w"] @ x + params["b"])


def predict_batch(params, X):
    return jax.vmap(predict, in_axes=(0, None))(params, X)
