# expects: value-instead-of-function at 13
"""Differentiates a number, not a function."""

import jax
import jax.numpy as jnp


def loss(w, b, x, y):
    return jnp.mean((x @ w + b - y) ** 2)


def grad_wb(w, b, x, y):
    return jax.grad(loss(w, b, x, y), argnums=(0, 1))(w, b, x, y)
