# expects: check values
# says: You look for `inf`. A gradient of nan is an overflow too.
"""Looks for infinite numbers, and not for nan."""

import jax
import jax.numpy as jnp


def scaled_step(loss, params, batch, scale, lr):
    grads = jax.grad(lambda params: loss(params, batch) * scale)(params)
    grads = jax.tree.map(lambda g: g.astype(jnp.float32) / scale, grads)
    finite = jnp.all(jnp.array([~jnp.isinf(g).any() for g in jax.tree.leaves(grads)]))
    params = jax.tree.map(lambda p, g: jnp.where(finite, p - lr * g, p), params, grads)
    return params, jnp.clip(jnp.where(finite, scale * 2, scale / 2), 1, 32768)
