"""A tree as one vector: gradient descent on all leaves at once."""

import jax
from jax.flatten_util import ravel_pytree


def minimize_tree(loss, tree, steps):
    """Return the tree after `steps` steps of gradient descent on loss."""
    vector, unravel = ravel_pytree(tree)
    # A loss of the vector: its gradient is a vector too.
    slope = jax.grad(lambda v: loss(unravel(v)))

    def step(v, _):
        return v - 0.1 * slope(v), None

    last, _ = jax.lax.scan(step, vector, length=steps)
    return unravel(last)
