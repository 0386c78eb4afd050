"""Writes into a copy of its own."""

import jax.numpy as jnp


def batch_norm(params, state, x, train):
    state = dict(state)
    now = {"mean": x.mean(axis=0), "var": x.var(axis=0)}
    if train:
        for name, value in now.items():
            state[name] = 0.9 * state[name] + 0.1 * value
    else:
        now = state
    y = (x - now["mean"]) / jnp.sqrt(now["var"] + 1e-5)
    return params["scale"] * y + params["shift"], state
