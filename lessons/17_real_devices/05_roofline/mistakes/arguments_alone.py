# expects: check values
# says: You count the bytes of the arguments alone. The result has to be written too, and what the
#     program reads twice is moved twice.
"""Counts what goes in."""


def roofline(step, shapes, flops, bandwidth):
    cost = step.lower(*shapes).compile().cost_analysis()
    arithmetic = cost.get("flops", 0.0) / flops
    moving = sum(shape.size * shape.dtype.itemsize for shape in shapes) / bandwidth
    return max(arithmetic, moving), moving >= arithmetic
