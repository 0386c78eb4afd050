# expects: wrong-arity at 8
"""Passes both trees as one argument."""

import jax


def sgd(params, grads, lr):
    return jax.tree.map(lambda p, g: p - lr * g, (params, grads))
