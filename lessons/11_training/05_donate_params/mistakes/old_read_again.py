# expects: use-after-donation at 15
"""Compares with the old parameters, which are gone."""

import jax
import jax.numpy as jnp


def make_update(lr):
    @jax.jit(donate_argnums=0)
    def step(params, grads):
        return jax.tree.map(lambda p, g: p - lr * g, params, grads)

    def update(params, grads):
        new = step(params, grads)
        moved = jax.tree.map(lambda a, b: jnp.abs(a - b).max(), new, params)
        assert all(jnp.isfinite(leaf) for leaf in jax.tree.leaves(moved))
        return new

    return update
