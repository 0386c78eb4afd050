# expects: ValueError at 10
"""Joins the leaves as they are."""

import jax
import jax.numpy as jnp
from jax.flatten_util import ravel_pytree


def minimize_tree(loss, tree, steps):
    vector = jnp.concatenate(jax.tree.leaves(tree))
    _, unravel = ravel_pytree(tree)
    slope = jax.grad(lambda v: loss(unravel(v)))
    last, _ = jax.lax.scan(lambda v, _: (v - 0.1 * slope(v), None), vector, length=steps)
    return unravel(last)
