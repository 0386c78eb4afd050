# expects: check in-place
# says: The old arrays are deleted, but only after the step has made new ones beside them.
#     Donation hands the memory over before the result is written.
"""Compiles a step that donates nothing, and deletes the old arrays after it."""

import jax


def make_update(lr):
    @jax.jit
    def step(params, grads):
        return jax.tree.map(lambda p, g: p - lr * g, params, grads)

    def update(params, grads):
        new = jax.block_until_ready(step(params, grads))
        for leaf in jax.tree.leaves(params):
            leaf.delete()
        return new

    return update
