# expects: check values
# says: Your answer after training depends on the batch. Once `train` is false, the mean and the
#     variance come from the state.
"""Normalises with the batch's statistics after training too."""

import jax.numpy as jnp


def batch_norm(params, state, x, train):
    mean, var = x.mean(axis=0), x.var(axis=0)
    if train:
        state = {"mean": 0.9 * state["mean"] + 0.1 * mean, "var": 0.9 * state["var"] + 0.1 * var}
    y = (x - mean) / jnp.sqrt(var + 1e-5)
    return params["scale"] * y + params["shift"], state
