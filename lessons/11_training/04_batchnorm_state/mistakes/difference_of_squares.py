# expects: check values
# says: Your answer is off only for columns that lie far from 0. There the mean of the squares and
#     the square of the mean agree in most of their digits, and their difference keeps only the
#     rest.
"""Subtracts two large numbers that agree in most of their digits."""

import jax.numpy as jnp


def batch_norm(params, state, x, train):
    mean, var = state["mean"], state["var"]
    if train:
        mean = x.mean(axis=0)
        var = (x**2).mean(axis=0) - mean**2
        state = {"mean": 0.9 * state["mean"] + 0.1 * mean, "var": 0.9 * state["var"] + 0.1 * var}
    y = (x - mean) / jnp.sqrt(var + 1e-5)
    return params["scale"] * y + params["shift"], state
