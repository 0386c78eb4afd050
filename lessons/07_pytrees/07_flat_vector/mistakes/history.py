# expects: ValueError at 17
"""Passes all vectors of the loop to unravel."""

import jax
from jax.flatten_util import ravel_pytree


def minimize_tree(loss, tree, steps):
    vector, unravel = ravel_pytree(tree)
    slope = jax.grad(lambda v: loss(unravel(v)))

    def step(v, _):
        v = v - 0.1 * slope(v)
        return v, v

    _, history = jax.lax.scan(step, vector, length=steps)
    return unravel(history)
