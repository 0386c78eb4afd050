# expects: shape-mismatch-matmul at 9
"""Maps over the columns of X, which are as many as the inputs."""

import jax
import jax.numpy as jnp


def predict(params, x):
    return jnp.tanh(params["w"] @ x + params["b"])


def predict_batch(params, X):
    return jax.vmap(predict, in_axes=(None, 1))(params, X)
