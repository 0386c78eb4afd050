# expects: grad-wrong-argnum at 13
"""Passes the differentiated arguments by keyword."""

import jax
import jax.numpy as jnp


def loss(w, b, x, y):
    return jnp.mean((x @ w + b - y) ** 2)


def grad_wb(w, b, x, y):
    return jax.grad(loss, argnums=(0, 1))(w=w, b=b, x=x, y=y)
