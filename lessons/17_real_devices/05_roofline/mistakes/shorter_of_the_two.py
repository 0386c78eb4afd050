# expects: check values
# says: Your times are the shorter of the two. The device has to finish both, so the longer one
#     counts.
"""Returns the smaller time."""


def roofline(step, shapes, flops, bandwidth):
    cost = step.lower(*shapes).compile().cost_analysis()
    arithmetic = cost.get("flops", 0.0) / flops
    moving = cost["bytes accessed"] / bandwidth
    return min(arithmetic, moving), moving >= arithmetic
