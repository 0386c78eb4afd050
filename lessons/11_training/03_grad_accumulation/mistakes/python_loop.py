# expects: check primitive
# says: Your pieces are not in one loop of the program. A Python loop is unrolled while tracing,
#     so the program grows with every piece.
"""Loops in Python: the program grows with every piece."""

import jax
import jax.numpy as jnp


def accumulated_grad(loss, params, X, Y, k):
    if len(X) % k:
        raise ValueError("unequal pieces")
    total = jax.tree.map(jnp.zeros_like, params)
    for x, y in zip(jnp.split(X, k), jnp.split(Y, k), strict=True):
        grads = jax.grad(loss)(params, x, y)
        total = jax.tree.map(lambda t, g: t + g / k, total, grads)
    return total
