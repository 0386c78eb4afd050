# expects: traced-slice-bounds at 15
"""Cuts the pieces out with traced bounds."""

import jax
import jax.numpy as jnp


def accumulated_grad(loss, params, X, Y, k):
    if len(X) % k:
        raise ValueError("unequal pieces")
    size = len(X) // k

    def body(i, total):
        start = i * size
        x, y = X[start : start + size], Y[start : start + size]
        return jax.tree.map(jnp.add, total, jax.grad(loss)(params, x, y))

    total = jax.lax.fori_loop(0, k, body, jax.tree.map(jnp.zeros_like, params))
    return jax.tree.map(lambda leaf: leaf / k, total)
