# expects: missing-return at 8
"""Maps, and drops the result."""

import jax


def sgd(params, grads, lr):
    jax.tree.map(lambda p, g: p - lr * g, params, grads)
