# expects: float-on-tracer at 8
"""Asks for a Python number at the end."""

import jax.numpy as jnp


def mse(pred, y):
    return float(jnp.mean((pred[:, 0] - y) ** 2))
