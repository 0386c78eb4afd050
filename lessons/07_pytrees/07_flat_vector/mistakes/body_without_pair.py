# expects: scan-body-not-pair at 13
"""Returns only the vector from the body."""

import jax
from jax.flatten_util import ravel_pytree


def minimize_tree(loss, tree, steps):
    vector, unravel = ravel_pytree(tree)
    slope = jax.grad(lambda v: loss(unravel(v)))

    def step(v, _):
        return v - 0.1 * slope(v)

    last, _ = jax.lax.scan(step, vector, length=steps)
    return unravel(last)
