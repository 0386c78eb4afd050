# expects: check values
# says: Your scale comes too late: a gradient that was too small for float16 is 0 already, and one that
#     would overflow does not.
"""Multiplies the gradients, and not the loss."""

import jax
import jax.numpy as jnp


def scaled_step(loss, params, batch, scale, lr):
    grads = jax.grad(lambda params: loss(params, batch))(params)
    grads = jax.tree.map(lambda g: g * scale / scale, grads)
    finite = jnp.all(jnp.array([jnp.isfinite(g).all() for g in jax.tree.leaves(grads)]))
    params = jax.tree.map(lambda p, g: jnp.where(finite, p - lr * g, p), params, grads)
    return params, jnp.clip(jnp.where(finite, scale * 2, scale / 2), 1, 32768)
