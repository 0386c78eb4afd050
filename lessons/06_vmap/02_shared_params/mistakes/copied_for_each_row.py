# expects: check memory
# says: Your values are right, but the parameters are copied for each row. Share them instead.
"""Copies the parameters for each row."""

import jax
import jax.numpy as jnp


def predict(params, x):
    return jnp.tanh(params["w"] @ x + params["b"])


def predict_batch(params, X):
    copies = jax.tree.map(lambda leaf: jnp.stack([leaf] * len(X)), params)
    return jax.vmap(predict)(copies, X)
