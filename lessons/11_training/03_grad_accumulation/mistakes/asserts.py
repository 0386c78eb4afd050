# expects: check unequal
# says: Rows that do not fit raise an `AssertionError`. `python -O` removes an `assert`; the
#     problem asks for a `ValueError`.
"""Checks the pieces with `assert`, which `python -O` removes."""

import jax
import jax.numpy as jnp


def accumulated_grad(loss, params, X, Y, k):
    assert len(X) % k == 0, "unequal pieces"
    x = X.reshape(k, -1, *X.shape[1:])
    y = Y.reshape(k, -1, *Y.shape[1:])

    def add(total, piece):
        return jax.tree.map(jnp.add, total, jax.grad(loss)(params, *piece)), None

    total, _ = jax.lax.scan(add, jax.tree.map(jnp.zeros_like, params), (x, y))
    return jax.tree.map(lambda leaf: leaf / k, total)
