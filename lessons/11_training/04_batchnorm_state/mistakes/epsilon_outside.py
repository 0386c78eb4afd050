# expects: check values
# says: Your answer is off only where the variance is small. The `1e-5` is added to the variance,
#     and the root is taken of the sum.
"""Adds the small number to the root, not under it."""

import jax.numpy as jnp


def batch_norm(params, state, x, train):
    mean, var = state["mean"], state["var"]
    if train:
        mean, var = x.mean(axis=0), x.var(axis=0)
        state = {"mean": 0.9 * state["mean"] + 0.1 * mean, "var": 0.9 * state["var"] + 0.1 * var}
    y = (x - mean) / (jnp.sqrt(var) + 1e-5)
    return params["scale"] * y + params["shift"], state
