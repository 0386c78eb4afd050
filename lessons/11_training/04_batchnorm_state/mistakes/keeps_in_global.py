# expects: check values
# says: Your answer uses numbers from an earlier call. What the layer remembers comes in as
#     `state` and goes out as a result; nothing outside the function keeps it.
"""Remembers in a global, where tracers stay behind."""

import jax.numpy as jnp

running = {}


def batch_norm(params, state, x, train):
    if not running:
        running.update(state)
    mean, var = running["mean"], running["var"]
    if train:
        mean, var = x.mean(axis=0), x.var(axis=0)
        running["mean"] = 0.9 * running["mean"] + 0.1 * mean
        running["var"] = 0.9 * running["var"] + 0.1 * var
    y = (x - mean) / jnp.sqrt(var + 1e-5)
    return params["scale"] * y + params["shift"], dict(running)
