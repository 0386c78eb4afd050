"""Scale the loss, skip the overflow."""

import jax
import jax.numpy as jnp


def scaled_step(loss, params, batch, scale, lr):
    """Return the parameters after one step with a scaled loss, and the next scale."""
    grads = jax.grad(lambda params: loss(params, batch) * scale)(params)
    grads = jax.tree.map(lambda g: g.astype(jnp.float32) / scale, grads)
    finite = jnp.all(jnp.array([jnp.isfinite(g).all() for g in jax.tree.leaves(grads)]))
    # One bool for the whole tree: a step is done by all leaves, or by none.
    params = jax.tree.map(lambda p, g: jnp.where(finite, p - lr * g, p), params, grads)
    return params, jnp.clip(jnp.where(finite, scale * 2, scale / 2), 1, 32768)
