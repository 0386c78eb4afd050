# expects: check equations
"""Loops in Python: each step is a part of the program."""

import jax
from jax.flatten_util import ravel_pytree


def minimize_tree(loss, tree, steps):
    vector, unravel = ravel_pytree(tree)
    slope = jax.grad(lambda v: loss(unravel(v)))
    for _ in range(steps):
        vector = vector - 0.1 * slope(vector)
    return unravel(vector)
