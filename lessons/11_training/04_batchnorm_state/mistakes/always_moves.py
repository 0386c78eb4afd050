# expects: check values
# says: Your state changes after training too. Once `train` is false, the state comes out as it
#     went in.
"""Moves the state after training too."""

import jax.numpy as jnp


def batch_norm(params, state, x, train):
    now = {"mean": x.mean(axis=0), "var": x.var(axis=0)}
    used = now if train else state
    y = (x - used["mean"]) / jnp.sqrt(used["var"] + 1e-5)
    new = {name: 0.9 * state[name] + 0.1 * now[name] for name in now}
    return params["scale"] * y + params["shift"], new
