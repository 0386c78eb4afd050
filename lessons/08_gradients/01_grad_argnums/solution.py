"""The derivative of a function: the slopes of a squared error."""

import jax
import jax.numpy as jnp


def grad_wb(w, b, x, y):
    """Return the derivatives of the mean squared error with respect to w and b."""

    def loss(w, b):
        return jnp.mean((x @ w + b - y) ** 2)

    # A tuple of positions gives a tuple of gradients.
    return jax.grad(loss, argnums=(0, 1))(w, b)
