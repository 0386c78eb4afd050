# expects: check values
# says: Your answer makes a step even if `steps` is 0: one step is done outside the loop.
"""Makes the first step before the loop."""

import jax
from jax.flatten_util import ravel_pytree


def minimize_tree(loss, tree, steps):
    vector, unravel = ravel_pytree(tree)
    slope = jax.grad(lambda v: loss(unravel(v)))
    first = vector - 0.1 * slope(vector)
    return unravel(jax.lax.fori_loop(1, steps, lambda _, v: v - 0.1 * slope(v), first))
