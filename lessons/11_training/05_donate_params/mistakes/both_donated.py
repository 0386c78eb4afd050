# expects: check no-warning
"""Donates both trees, though only one comes out."""

import jax


def make_update(lr):
    def update(params, grads):
        return jax.tree.map(lambda p, g: p - lr * g, params, grads)

    return jax.jit(update, donate_argnums=(0, 1))
