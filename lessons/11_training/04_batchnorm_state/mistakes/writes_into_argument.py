# expects: check argument-untouched
# says: Your numbers are right, but the caller's own dict has changed. Under `jax.jit` such a
#     write is lost, and under `jax.grad` it leaves a tracer behind.
"""Writes into the dict of the caller, and returns it."""

import jax.numpy as jnp


def batch_norm(params, state, x, train):
    mean, var = state["mean"], state["var"]
    if train:
        mean, var = x.mean(axis=0), x.var(axis=0)
        state["mean"] = 0.9 * state["mean"] + 0.1 * mean
        state["var"] = 0.9 * state["var"] + 0.1 * var
    y = (x - mean) / jnp.sqrt(var + 1e-5)
    return params["scale"] * y + params["shift"], state
