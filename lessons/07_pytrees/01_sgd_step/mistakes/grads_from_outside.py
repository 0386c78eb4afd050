# expects: TypeError at 8
"""Maps over one tree only, and multiplies the other as a whole."""

import jax


def sgd(params, grads, lr):
    return jax.tree.map(lambda p: p - lr * grads, params)
