# expects: check values
# says: Your answer moves the gradients against the parameters: the two are swapped in your
#     expression.
"""Takes the gradient for the parameter."""

import jax


def sgd(params, grads, lr):
    return jax.tree.map(lambda p, g: g - lr * p, params, grads)
