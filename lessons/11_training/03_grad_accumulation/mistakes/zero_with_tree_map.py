# expects: check values
# says: Your answer fails where `params` is a tree. The total starts as a tree of zeros like
#     `params`, not as one 0.
"""Starts from one 0, and walks over it beside a tree."""

import jax
import jax.numpy as jnp


def accumulated_grad(loss, params, X, Y, k):
    if len(X) % k:
        raise ValueError("unequal pieces")
    x = X.reshape(k, -1, *X.shape[1:])
    y = Y.reshape(k, -1, *Y.shape[1:])

    def add(total, piece):
        grads = jax.grad(loss)(params, *piece)
        return jax.tree.map(jnp.add, total, grads), None

    total, _ = jax.lax.scan(add, 0.0, (x, y))
    return jax.tree.map(lambda leaf: leaf / k, total)
