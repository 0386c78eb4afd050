# expects: missing-import at 8
"""Uses a module that import jax does not load."""

import jax


def minimize_tree(loss, tree, steps):
    vector, unravel = jax.flatten_util.ravel_pytree(tree)
    slope = jax.grad(lambda v: loss(unravel(v)))
    last, _ = jax.lax.scan(lambda v, _: (v - 0.1 * slope(v), None), vector, length=steps)
    return unravel(last)
