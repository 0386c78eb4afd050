# expects: check values
# says: You return a list with a tree for each example. It should be the other way round: one
#     tree, with the examples along the first axis of each leaf.
"""Returns a list of gradients."""

import jax


def per_example(loss, params, xs, ys):
    return [jax.grad(loss)(params, x, y) for x, y in zip(xs, ys)]
