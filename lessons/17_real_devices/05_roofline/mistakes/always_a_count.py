# expects: check values
# says: Your function reads the count of operations as if it were always there. A program that
#     computes nothing has none in its dict.
"""Fails for a program without arithmetic."""


def roofline(step, shapes, flops, bandwidth):
    cost = step.lower(*shapes).compile().cost_analysis()
    arithmetic = cost["flops"] / flops
    moving = cost["bytes accessed"] / bandwidth
    return max(arithmetic, moving), moving >= arithmetic
