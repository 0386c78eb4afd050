# expects: grad-int-input at 13
"""Counts the positions wrongly, and meets integers."""

import jax
import jax.numpy as jnp


def loss(x, y, w, b):
    return jnp.mean((x @ w + b - y) ** 2)


def grad_wb(w, b, x, y):
    return jax.grad(loss, argnums=(1, 2))(x, y, w, b)
