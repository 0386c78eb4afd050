# expects: check jaxpr
# says: No call ran: a tree is not an array, so `*` and `-` do not apply to it. Do the arithmetic
#     leaf by leaf.
"""Computes with the trees as if they were arrays."""


def sgd(params, grads, lr):
    return params - lr * grads
