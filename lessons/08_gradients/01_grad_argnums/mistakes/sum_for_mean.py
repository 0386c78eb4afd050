# expects: check values
# says: Your answer is the derivative of the sum of the squared errors, so it grows with the
#     number of rows. The loss is their mean.
"""Adds the squared errors up instead of averaging them."""

import jax
import jax.numpy as jnp


def loss(w, b, x, y):
    return jnp.sum((x @ w + b - y) ** 2)


def grad_wb(w, b, x, y):
    return jax.grad(loss, argnums=(0, 1))(w, b, x, y)
