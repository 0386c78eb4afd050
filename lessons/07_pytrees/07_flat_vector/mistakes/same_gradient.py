# expects: check values
# says: Your answer goes in the direction of the first gradient all the time. Each step needs the
#     gradient at the vector it has reached.
"""Computes the gradient once, before the loop."""

import jax
from jax.flatten_util import ravel_pytree


def minimize_tree(loss, tree, steps):
    vector, unravel = ravel_pytree(tree)
    gradient = jax.grad(lambda v: loss(unravel(v)))(vector)
    return unravel(jax.lax.fori_loop(0, steps, lambda _, v: v - 0.1 * gradient, vector))
