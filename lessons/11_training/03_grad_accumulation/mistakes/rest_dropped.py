# expects: check unequal
# says: Rows that fit into no piece are left out without a word. The problem asks for a
#     `ValueError` when the rows cannot be cut into `k` equal pieces.
"""Leaves out the rows that do not fit, without a word."""

import jax
import jax.numpy as jnp


def accumulated_grad(loss, params, X, Y, k):
    size = len(X) // k
    x = X[: k * size].reshape(k, size, *X.shape[1:])
    y = Y[: k * size].reshape(k, size, *Y.shape[1:])

    def add(total, piece):
        return jax.tree.map(jnp.add, total, jax.grad(loss)(params, *piece)), None

    total, _ = jax.lax.scan(add, jax.tree.map(jnp.zeros_like, params), (x, y))
    return jax.tree.map(lambda leaf: leaf / k, total)
