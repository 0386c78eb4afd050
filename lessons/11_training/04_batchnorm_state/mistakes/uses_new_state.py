# expects: check values
# says: While training, your answer is normalised with the running statistics. Those are for
#     later; during training the batch's own mean and variance are used.
"""Normalises with the running statistics while training."""

import jax.numpy as jnp


def batch_norm(params, state, x, train):
    if train:
        mean, var = x.mean(axis=0), x.var(axis=0)
        state = {"mean": 0.9 * state["mean"] + 0.1 * mean, "var": 0.9 * state["var"] + 0.1 * var}
    y = (x - state["mean"]) / jnp.sqrt(state["var"] + 1e-5)
    return params["scale"] * y + params["shift"], state
