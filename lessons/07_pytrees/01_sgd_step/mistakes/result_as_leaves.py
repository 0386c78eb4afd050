# expects: check values
"""Gives the leaves back, and loses the structure."""

import jax


def sgd(params, grads, lr):
    pairs = zip(jax.tree.leaves(params), jax.tree.leaves(grads))
    return [p - lr * g for p, g in pairs]
