# expects: check values
"""Sets a column against a row, and compares every row with every other."""

import jax
import jax.numpy as jnp


def loss(w, b, x, y):
    return jnp.mean((x @ w[:, None] + b - y) ** 2)


def grad_wb(w, b, x, y):
    return jax.grad(loss, argnums=(0, 1))(w, b, x, y)
