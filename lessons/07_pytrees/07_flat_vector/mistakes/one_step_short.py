# expects: check values
# says: Your answer makes one step too few. How many rounds does a loop from 1 to `steps` have?
"""Counts from one."""

import jax
from jax.flatten_util import ravel_pytree


def minimize_tree(loss, tree, steps):
    vector, unravel = ravel_pytree(tree)
    slope = jax.grad(lambda v: loss(unravel(v)))
    return unravel(jax.lax.fori_loop(1, steps, lambda _, v: v - 0.1 * slope(v), vector))
