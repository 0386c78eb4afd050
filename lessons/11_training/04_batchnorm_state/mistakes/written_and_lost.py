# expects: check values
# says: Your answer is not a pair. The function returns `y` and the state: what is written into a
#     dict alone never leaves a compiled function.
"""Writes into its own copy of the dict, and returns y alone."""

import jax.numpy as jnp


def batch_norm(params, state, x, train):
    mean, var = state["mean"], state["var"]
    if train:
        mean, var = x.mean(axis=0), x.var(axis=0)
        state["mean"] = 0.9 * state["mean"] + 0.1 * mean
        state["var"] = 0.9 * state["var"] + 0.1 * var
    y = (x - mean) / jnp.sqrt(var + 1e-5)
    return params["scale"] * y + params["shift"]
