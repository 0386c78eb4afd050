# expects: grad-wrong-argnum at 14
"""Puts the data first, and differentiates with respect to it."""

import jax
import jax.numpy as jnp


def loss(x, y, params):
    w, b = params
    return jnp.mean((x @ w + b - y) ** 2)


def grad_wb(w, b, x, y):
    return jax.grad(loss)(x, y, (w, b))
