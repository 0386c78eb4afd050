"""A loop with a fixed number of rounds, compiled by the learner too."""

from functools import partial

import jax
from jax import flatten_util


@partial(jax.jit, static_argnums=(0, 2))
def minimize_tree(loss, tree, steps):
    vector, unravel = flatten_util.ravel_pytree(tree)
    slope = jax.grad(lambda v: loss(unravel(v)))
    return unravel(jax.lax.fori_loop(0, steps, lambda _, v: v - 0.1 * slope(v), vector))
