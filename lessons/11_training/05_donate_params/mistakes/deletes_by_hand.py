# expects: check traces-once
# says: Your step is not compiled once and then used again. Deleting the old arrays by hand frees
#     them too late, too: the new ones have been made by then.
"""Deletes the old arrays itself, leaf by leaf, and compiles nothing."""

import jax


def make_update(lr):
    def update(params, grads):
        new = jax.tree.map(lambda p, g: p - lr * g, params, grads)
        for leaf in jax.tree.leaves(params):
            leaf.delete()
        return new

    return update
