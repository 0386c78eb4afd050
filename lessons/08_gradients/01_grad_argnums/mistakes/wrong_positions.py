# expects: grad-int-input at 13
"""Miscounts the positions, and selects integers."""

import jax
import jax.numpy as jnp


def loss(x, y, w, b):
    return jnp.mean((x @ w + b - y) ** 2)


def grad_wb(w, b, x, y):
    return jax.grad(loss, argnums=(1, 2))(x, y, w, b)
