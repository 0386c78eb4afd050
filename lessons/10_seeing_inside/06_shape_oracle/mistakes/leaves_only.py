# expects: check values
# says: Your answer is a flat list. It should have the structure that `f` returns.
"""Returns the leaves without their tree."""

import jax


def output_spec(f, *specs):
    return jax.tree.leaves(jax.eval_shape(f, *specs))
