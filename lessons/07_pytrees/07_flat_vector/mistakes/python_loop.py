# expects: check equations
# says: Your values are right, but each step adds equations to the program. Use a loop that is
#     part of it.
"""Loops in Python, so each step adds to the program."""

import jax
from jax.flatten_util import ravel_pytree


def minimize_tree(loss, tree, steps):
    vector, unravel = ravel_pytree(tree)
    slope = jax.grad(lambda v: loss(unravel(v)))
    for _ in range(steps):
        vector = vector - 0.1 * slope(vector)
    return unravel(vector)
