"""A tree as one vector: gradient descent on all leaves at once."""

import jax
from jax.flatten_util import ravel_pytree


def minimize_tree(loss, tree, steps):
    """Return the tree after `steps` steps of gradient descent on loss."""
    vector, unravel = ravel_pytree(tree)
    # TODO: loss takes a tree, not a vector. And one step is not enough.
    vector = vector - 0.1 * jax.grad(loss)(vector)
    return unravel(vector)
