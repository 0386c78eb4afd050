# expects: check gradient-of-rows
# says: Your gradient treats the mean and the variance of the batch as constants. They depend on
#     every row, and the gradient has to go through them.
"""Cuts off the gradient through the statistics of the batch."""

import jax
import jax.numpy as jnp


def batch_norm(params, state, x, train):
    mean, var = state["mean"], state["var"]
    if train:
        still = jax.lax.stop_gradient(x)
        mean, var = still.mean(axis=0), still.var(axis=0)
        state = {"mean": 0.9 * state["mean"] + 0.1 * mean, "var": 0.9 * state["var"] + 0.1 * var}
    y = (x - mean) / jnp.sqrt(var + 1e-5)
    return params["scale"] * y + params["shift"], state
