# expects: float-on-tracer at 9
"""Turns the loss into a Python number."""

import jax
import jax.numpy as jnp


def loss(w, b, x, y):
    return float(jnp.mean((x @ w + b - y) ** 2))


def grad_wb(w, b, x, y):
    return jax.grad(loss, argnums=(0, 1))(w, b, x, y)
