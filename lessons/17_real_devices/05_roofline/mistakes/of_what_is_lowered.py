# expects: check values
# says: You ask the program that is only lowered. Its count has the bytes between the lines as well,
#     which the compiler removes when it fuses them.
"""Counts the bytes before the compiler fuses."""


def roofline(step, shapes, flops, bandwidth):
    cost = step.lower(*shapes).cost_analysis()
    arithmetic = cost.get("flops", 0.0) / flops
    moving = cost["bytes accessed"] / bandwidth
    return max(arithmetic, moving), moving >= arithmetic
