# expects: check values
# says: Your times are the sum of arithmetic and moving. The two overlap completely, so the longer
#     one counts.
"""Adds the two times."""


def roofline(step, shapes, flops, bandwidth):
    cost = step.lower(*shapes).compile().cost_analysis()
    arithmetic = cost.get("flops", 0.0) / flops
    moving = cost["bytes accessed"] / bandwidth
    return arithmetic + moving, moving >= arithmetic
