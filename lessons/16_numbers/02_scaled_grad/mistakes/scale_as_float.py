# expects: float-on-tracer at 9
"""Takes the scale as a Python float."""

import jax
import jax.numpy as jnp


def scaled_step(loss, params, batch, scale, lr):
    factor = float(scale)
    grads = jax.grad(lambda params: loss(params, batch) * factor)(params)
    finite = jnp.all(jnp.array([jnp.isfinite(g).all() for g in jax.tree.leaves(grads)]))
    params = jax.tree.map(lambda p, g: jnp.where(finite, p - lr * g, p), params, grads)
    return params, jnp.clip(jnp.where(finite, scale * 2, scale / 2), 1, 32768)
