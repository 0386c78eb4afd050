# expects: check values
"""Puts the leaves back under the keys of one dict."""

import jax


def sgd(params, grads, lr):
    pairs = zip(jax.tree.leaves(params), jax.tree.leaves(grads))
    return dict(zip(params, [p - lr * g for p, g in pairs]))
