# expects: check values
# says: Your answer has floats where the tree had integers. Every leaf should come back with its
#     dtype.
"""Turns all leaves into floats."""

import jax
import jax.numpy as jnp


def minimize_tree(loss, tree, steps):
    tree = jax.tree.map(lambda leaf: jnp.asarray(leaf, jnp.float32), tree)

    def step(t, _):
        return jax.tree.map(lambda p, g: p - 0.1 * g, t, jax.grad(loss)(t)), None

    last, _ = jax.lax.scan(step, tree, length=steps)
    return last
