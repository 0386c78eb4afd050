# expects: check values
# says: Your answer is a list of leaves. It should have the structure of `params`.
"""Returns the leaves, and loses the structure."""

import jax


def sgd(params, grads, lr):
    pairs = zip(jax.tree.leaves(params), jax.tree.leaves(grads))
    return [p - lr * g for p, g in pairs]
