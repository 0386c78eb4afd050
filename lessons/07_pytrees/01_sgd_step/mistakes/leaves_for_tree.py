# expects: pytree-structure-mismatch at 8
"""Passes the second tree as a list of its leaves."""

import jax


def sgd(params, grads, lr):
    return jax.tree.map(lambda p, g: p - lr * g, params, jax.tree.leaves(grads))
