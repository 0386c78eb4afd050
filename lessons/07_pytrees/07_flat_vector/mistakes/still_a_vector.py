# expects: check values
# says: Your answer is a vector. It should be turned back into the tree.
"""Forgets to turn the vector back."""

import jax
from jax.flatten_util import ravel_pytree


def minimize_tree(loss, tree, steps):
    vector, unravel = ravel_pytree(tree)
    slope = jax.grad(lambda v: loss(unravel(v)))
    last, _ = jax.lax.scan(lambda v, _: (v - 0.1 * slope(v), None), vector, length=steps)
    return last
