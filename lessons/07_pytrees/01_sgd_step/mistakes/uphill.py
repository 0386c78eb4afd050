# expects: check values
# says: Your answer goes with the gradient. A step of gradient descent goes against it.
"""Goes with the gradient, not against it."""

import jax


def sgd(params, grads, lr):
    return jax.tree.map(lambda p, g: p + lr * g, params, grads)
