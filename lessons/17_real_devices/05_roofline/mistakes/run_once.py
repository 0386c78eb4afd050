# expects: check runs
# says: You run the step once before you ask. Its shapes are enough for the compiler.
"""Runs the step with arrays of zeros."""

import jax.numpy as jnp


def roofline(step, shapes, flops, bandwidth):
    args = [jnp.zeros(shape.shape, shape.dtype) for shape in shapes]
    step(*args)
    cost = step.lower(*args).compile().cost_analysis()
    arithmetic = cost.get("flops", 0.0) / flops
    moving = cost["bytes accessed"] / bandwidth
    return max(arithmetic, moving), moving >= arithmetic
