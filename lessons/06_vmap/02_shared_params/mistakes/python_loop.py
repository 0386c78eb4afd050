# expects: check equations
# says: Your values are right, but each row adds equations to the program. Map over the rows
#     instead.
"""Loops over the rows in Python."""

import jax
import jax.numpy as jnp


def predict(params, x):
    return jnp.tanh(params["w"] @ x + params["b"])


def predict_batch(params, X):
    return jnp.stack([predict(params, x) for x in X])
