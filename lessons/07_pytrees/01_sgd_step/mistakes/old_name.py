# expects: removed-api at 8
"""Takes the name from an older page."""

import jax


def sgd(params, grads, lr):
    return jax.tree_map(lambda p, g: p - lr * g, params, grads)
