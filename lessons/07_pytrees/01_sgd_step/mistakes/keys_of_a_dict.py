# expects: check values
# says: Your answer has the wrong structure for a nested tree: the leaves were put back under the
#     keys of the outermost dict.
"""Puts the leaves back under the keys of one dict."""

import jax


def sgd(params, grads, lr):
    pairs = zip(jax.tree.leaves(params), jax.tree.leaves(grads))
    return dict(zip(params, [p - lr * g for p, g in pairs]))
