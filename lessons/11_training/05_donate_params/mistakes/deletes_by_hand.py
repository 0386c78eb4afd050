# expects: check traces-once
"""Deletes the old arrays itself, leaf by leaf, and compiles nothing."""

import jax


def make_update(lr):
    def update(params, grads):
        new = jax.tree.map(lambda p, g: p - lr * g, params, grads)
        for leaf in jax.tree.leaves(params):
            leaf.delete()
        return new

    return update
