# expects: check no-arrays
# says: You create arrays of these shapes, which may not fit into the memory of this machine.
#     `lower` needs only the shapes.
"""Makes the arrays."""

import jax.numpy as jnp


def roofline(step, shapes, flops, bandwidth):
    args = [jnp.zeros(shape.shape, shape.dtype) for shape in shapes]
    cost = step.lower(*args).compile().cost_analysis()
    arithmetic = cost.get("flops", 0.0) / flops
    moving = cost["bytes accessed"] / bandwidth
    return max(arithmetic, moving), moving >= arithmetic
