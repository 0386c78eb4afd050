# expects: check values
# says: Your answer treats the columns of `X` as examples. Each example is a row.
"""Maps over the columns of X."""

import jax
import jax.numpy as jnp


def predict(params, x):
    return jnp.tanh(params["w"] @ x + params["b"])


def predict_batch(params, X):
    return jax.vmap(predict, in_axes=(None, 1))(params, X)
