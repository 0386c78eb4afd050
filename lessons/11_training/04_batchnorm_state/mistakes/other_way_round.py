# expects: check values
# says: Your state moves too far: it keeps a tenth of the old and takes nine tenths of the new.
#     The problem asks for the reverse.
"""Mixes the other way round: it takes nine tenths of the new."""

import jax.numpy as jnp


def batch_norm(params, state, x, train):
    mean, var = state["mean"], state["var"]
    if train:
        mean, var = x.mean(axis=0), x.var(axis=0)
        state = {"mean": 0.1 * state["mean"] + 0.9 * mean, "var": 0.1 * state["var"] + 0.9 * var}
    y = (x - mean) / jnp.sqrt(var + 1e-5)
    return params["scale"] * y + params["shift"], state
