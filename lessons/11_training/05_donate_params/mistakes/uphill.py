# expects: check values
# says: Your step moves along the gradient. A step that lowers a loss goes against it.
"""Walks along the gradient."""

import jax


def make_update(lr):
    def update(params, grads):
        return jax.tree.map(lambda p, g: p + lr * g, params, grads)

    return jax.jit(update, donate_argnums=0)
