# expects: not-a-jax-type at 10
"""Uses the pair as the vector."""

import jax
from jax.flatten_util import ravel_pytree


def minimize_tree(loss, tree, steps):
    vector = ravel_pytree(tree)
    last, _ = jax.lax.scan(lambda v, _: (v - 0.1 * jax.grad(loss)(v), None), vector, length=steps)
    return last
