# expects: check values
# says: Your answer moves by the whole gradient. The rate is missing.
"""Leaves the rate out."""

import jax


def sgd(params, grads, lr):
    return jax.tree.map(lambda p, g: p - g, params, grads)
