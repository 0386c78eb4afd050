# expects: float-on-tracer at 8
"""Wants a Python number in the end."""

import jax.numpy as jnp


def mse(pred, y):
    return float(jnp.mean((pred[:, 0] - y) ** 2))
