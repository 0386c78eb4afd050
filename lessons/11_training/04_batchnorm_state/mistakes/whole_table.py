# expects: check values
# says: Your answer uses one mean and one variance for the whole table. Each column has its own.
"""Takes one mean over rows and columns."""

import jax.numpy as jnp


def batch_norm(params, state, x, train):
    mean, var = state["mean"], state["var"]
    if train:
        mean, var = x.mean(), x.var()
        state = {"mean": 0.9 * state["mean"] + 0.1 * mean, "var": 0.9 * state["var"] + 0.1 * var}
    y = (x - mean) / jnp.sqrt(var + 1e-5)
    return params["scale"] * y + params["shift"], state
