# expects: check jaxpr
# says: No call ran: the loss takes a tree, and it got a vector. Turn the vector back first.
"""Passes the vector to a loss that takes a tree."""

import jax
from jax.flatten_util import ravel_pytree


def minimize_tree(loss, tree, steps):
    vector, unravel = ravel_pytree(tree)
    slope = jax.grad(loss)
    last, _ = jax.lax.scan(lambda v, _: (v - 0.1 * slope(v), None), vector, length=steps)
    return unravel(last)
