# expects: check jaxpr
# says: No call ran: the arithmetic met a whole tree where it needs one leaf. Both trees should be
#     gone through side by side.
"""Maps over one tree only, and multiplies the other as a whole."""

import jax


def sgd(params, grads, lr):
    return jax.tree.map(lambda p: p - lr * grads, params)
