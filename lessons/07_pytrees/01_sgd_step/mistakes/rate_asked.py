# expects: traced-bool-in-if at 8
"""Branches on the learning rate."""

import jax


def sgd(params, grads, lr):
    if lr == 0:
        return params
    return jax.tree.map(lambda p, g: p - lr * g, params, grads)
