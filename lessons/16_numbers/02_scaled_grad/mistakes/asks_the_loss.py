# expects: check values
# says: You look whether the loss is finite. Its gradient may overflow where the loss does not.
"""Decides by the loss."""

import jax
import jax.numpy as jnp


def scaled_step(loss, params, batch, scale, lr):
    value, grads = jax.value_and_grad(lambda params: loss(params, batch) * scale)(params)
    grads = jax.tree.map(lambda g: g.astype(jnp.float32) / scale, grads)
    finite = jnp.isfinite(value)
    params = jax.tree.map(lambda p, g: jnp.where(finite, p - lr * g, p), params, grads)
    return params, jnp.clip(jnp.where(finite, scale * 2, scale / 2), 1, 32768)
