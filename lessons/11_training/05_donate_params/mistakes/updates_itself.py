# expects: wrong-arity at 11
"""Compiles the step itself, and calls it with the rate."""

import jax


def make_update(lr):
    def update(params, grads):
        return jax.tree.map(lambda p, g: p - lr * g, params, grads)

    return jax.jit(update, donate_argnums=0)(lr)
