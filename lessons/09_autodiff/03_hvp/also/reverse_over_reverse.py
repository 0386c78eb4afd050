"""The gradient of the slope along v."""

import jax
import jax.numpy as jnp


def hvp(f, x, v):
    def slope(x):
        parts = jax.tree.map(jnp.vdot, jax.grad(f)(x), v)
        return jax.tree.reduce(jnp.add, parts)

    return jax.grad(slope)(x)
