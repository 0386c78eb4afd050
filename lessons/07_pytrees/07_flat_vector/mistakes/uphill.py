# expects: check values
# says: Your answer makes the loss larger: it goes with the gradient, not against it.
"""Goes up."""

import jax
from jax.flatten_util import ravel_pytree


def minimize_tree(loss, tree, steps):
    vector, unravel = ravel_pytree(tree)
    slope = jax.grad(lambda v: loss(unravel(v)))
    return unravel(jax.lax.fori_loop(0, steps, lambda _, v: v + 0.1 * slope(v), vector))
