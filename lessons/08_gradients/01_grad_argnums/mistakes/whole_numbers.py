# expects: grad-int-input at 14
"""Rounds the parameters to integers."""

import jax
import jax.numpy as jnp


def loss(w, b, x, y):
    return jnp.mean((x @ w + b - y) ** 2)


def grad_wb(w, b, x, y):
    w = jnp.round(w).astype(jnp.int32)
    return jax.grad(loss, argnums=(0, 1))(w, b, x, y)
