# expects: traced-bool-in-if at 12
"""Asks with `if` whether the gradients are finite."""

import jax
import jax.numpy as jnp


def scaled_step(loss, params, batch, scale, lr):
    grads = jax.grad(lambda params: loss(params, batch) * scale)(params)
    grads = jax.tree.map(lambda g: g.astype(jnp.float32) / scale, grads)
    finite = jnp.all(jnp.array([jnp.isfinite(g).all() for g in jax.tree.leaves(grads)]))
    if finite:
        params = jax.tree.map(lambda p, g: p - lr * g, params, grads)
        return params, jnp.minimum(scale * 2, 32768)
    return params, jnp.maximum(scale / 2, 1)
