# expects: pytree-in-arithmetic at 6
"""Computes with the trees as if they were arrays."""


def sgd(params, grads, lr):
    return params - lr * grads
