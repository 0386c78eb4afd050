# expects: check donated
# says: After a step the caller's arrays are still there. What was donated was not the arrays that
#     the caller passed in, so memory holds both.
"""Donates a copy, and keeps the original."""

import jax
import jax.numpy as jnp


def make_update(lr):
    @jax.jit(donate_argnums=0)
    def step(params, grads):
        return jax.tree.map(lambda p, g: p - lr * g, params, grads)

    def update(params, grads):
        return step(jax.tree.map(jnp.copy, params), grads)

    return update
