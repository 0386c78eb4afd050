"""The total is float32 whatever the parameters are, and is converted at the end."""

import jax
import jax.numpy as jnp


def accumulated_grad(loss, params, X, Y, k):
    rows, left = divmod(X.shape[0], k)
    if left:
        raise ValueError(f"{X.shape[0]} rows do not divide into {k} pieces")

    def body(i, total):
        x, y = (jax.lax.dynamic_slice_in_dim(a, i * rows, rows) for a in (X, Y))
        grads = jax.grad(loss)(params, x, y)
        return jax.tree.map(lambda t, g: t + g.astype(jnp.float32) / k, total, grads)

    start = jax.tree.map(lambda p: jnp.zeros(p.shape, jnp.float32), params)
    total = jax.lax.fori_loop(0, k, body, start)
    return jax.tree.map(lambda t, p: t.astype(p.dtype), total, params)
