# expects: check values
# says: Your answer is `k` times too large: it is the sum of the pieces' gradients, and the
#     gradient of the mean is their mean.
"""Adds the gradients of the pieces and does not divide."""

import jax
import jax.numpy as jnp


def accumulated_grad(loss, params, X, Y, k):
    if len(X) % k:
        raise ValueError("unequal pieces")
    x = X.reshape(k, -1, *X.shape[1:])
    y = Y.reshape(k, -1, *Y.shape[1:])

    def add(total, piece):
        return jax.tree.map(jnp.add, total, jax.grad(loss)(params, *piece)), None

    return jax.lax.scan(add, jax.tree.map(jnp.zeros_like, params), (x, y))[0]
