# expects: check values
# says: After an overflow your step goes on with numbers that replace `inf` and nan. The whole step is
#     left out.
"""Replaces what is not finite."""

import jax
import jax.numpy as jnp


def scaled_step(loss, params, batch, scale, lr):
    grads = jax.grad(lambda params: loss(params, batch) * scale)(params)
    grads = jax.tree.map(lambda g: g.astype(jnp.float32) / scale, grads)
    finite = jnp.all(jnp.array([jnp.isfinite(g).all() for g in jax.tree.leaves(grads)]))
    grads = jax.tree.map(jnp.nan_to_num, grads)
    params = jax.tree.map(lambda p, g: p - lr * g, params, grads)
    return params, jnp.clip(jnp.where(finite, scale * 2, scale / 2), 1, 32768)
