"""Chooses with cond, and looks for a number that is not finite in one vector."""

import jax
import jax.numpy as jnp
from jax.flatten_util import ravel_pytree


def scaled_step(loss, params, batch, scale, lr):
    grads = jax.grad(lambda params: scale * loss(params, batch))(params)
    flat, unravel = ravel_pytree(params)
    slope = ravel_pytree(grads)[0] / scale
    return jax.lax.cond(
        jnp.isfinite(slope).all(),
        lambda: (unravel(flat - lr * slope), jnp.minimum(scale * 2, 32768.0)),
        lambda: (params, jnp.maximum(scale / 2, 1.0)),
    )
