# expects: list-argument at 8
"""Adds up a Python list."""

import jax.numpy as jnp


def mse(pred, y):
    return jnp.sum([(p[0] - t) ** 2 for p, t in zip(pred, y, strict=True)]) / len(y)
