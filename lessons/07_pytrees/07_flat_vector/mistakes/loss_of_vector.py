# expects: TypeError at 11
"""Passes the vector to a loss that takes a tree."""

import jax
from jax.flatten_util import ravel_pytree


def minimize_tree(loss, tree, steps):
    vector, unravel = ravel_pytree(tree)
    slope = jax.grad(loss)
    last, _ = jax.lax.scan(lambda v, _: (v - 0.1 * slope(v), None), vector, length=steps)
    return unravel(last)
