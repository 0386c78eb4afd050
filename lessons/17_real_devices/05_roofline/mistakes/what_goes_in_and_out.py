# expects: check values
# says: You count what goes in and what comes out. What lies between two operations that are not
#     fused is moved as well.
"""Adds the bytes of arguments and results up by hand."""

import jax


def roofline(step, shapes, flops, bandwidth):
    cost = step.lower(*shapes).compile().cost_analysis()
    arithmetic = cost.get("flops", 0.0) / flops
    leaves = jax.tree.leaves((shapes, jax.eval_shape(step, *shapes)))
    moving = sum(leaf.size * leaf.dtype.itemsize for leaf in leaves) / bandwidth
    return max(arithmetic, moving), moving >= arithmetic
