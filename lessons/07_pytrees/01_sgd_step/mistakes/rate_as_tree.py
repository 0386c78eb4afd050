# expects: pytree-structure-mismatch at 8
"""Passes the learning rate as a third tree."""

import jax


def sgd(params, grads, lr):
    return jax.tree.map(lambda p, g, rate: p - rate * g, params, grads, lr)
