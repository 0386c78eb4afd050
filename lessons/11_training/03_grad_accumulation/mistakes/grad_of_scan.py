# expects: check memory
# says: The gradient of a loop keeps what every round computed for the backward pass, so the whole
#     batch is in memory again. Take the gradient of one piece inside the loop.
"""Differentiates the whole loop, which keeps every piece for the backward pass."""

import jax
import jax.numpy as jnp


def accumulated_grad(loss, params, X, Y, k):
    if len(X) % k:
        raise ValueError("unequal pieces")
    x = X.reshape(k, -1, *X.shape[1:])
    y = Y.reshape(k, -1, *Y.shape[1:])

    def mean_loss(params):
        def add(total, piece):
            return total + loss(params, *piece), None

        total, _ = jax.lax.scan(add, jnp.float32(0), (x, y))
        return total / k

    return jax.grad(mean_loss)(params)
