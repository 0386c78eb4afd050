# expects: check values
# says: Your state comes out with another key than it went in with. The next call then sees
#     another structure and is traced again; keep the structure that came in.
"""Counts the batches in a key of its own: the state changes its structure."""

import jax.numpy as jnp


def batch_norm(params, state, x, train):
    mean, var = state["mean"], state["var"]
    if train:
        mean, var = x.mean(axis=0), x.var(axis=0)
        state = {
            "mean": 0.9 * state["mean"] + 0.1 * mean,
            "var": 0.9 * state["var"] + 0.1 * var,
            "batches": state.get("batches", 0) + 1,
        }
    y = (x - mean) / jnp.sqrt(var + 1e-5)
    return params["scale"] * y + params["shift"], state
