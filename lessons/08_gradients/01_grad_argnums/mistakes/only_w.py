# expects: check values
# says: Your answer is one derivative, the one with respect to `w`. The one with respect to `b` is
#     missing.
"""Differentiates with respect to the first argument only."""

import jax
import jax.numpy as jnp


def loss(w, b, x, y):
    return jnp.mean((x @ w + b - y) ** 2)


def grad_wb(w, b, x, y):
    return jax.grad(loss)(w, b, x, y)
