# expects: check donated
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
