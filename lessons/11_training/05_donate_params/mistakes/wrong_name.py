# expects: wrong-static-argnums at 11
"""Donates an argument that does not exist."""

import jax


def make_update(lr):
    def update(params, grads):
        return jax.tree.map(lambda p, g: p - lr * g, params, grads)

    return jax.jit(update, donate_argnames="weights")
