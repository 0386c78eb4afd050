# expects: check values
# says: Your second answer is turned round: it is true where the arithmetic takes longer.
"""Says compute bound for memory bound."""


def roofline(step, shapes, flops, bandwidth):
    cost = step.lower(*shapes).compile().cost_analysis()
    arithmetic = cost.get("flops", 0.0) / flops
    moving = cost["bytes accessed"] / bandwidth
    return max(arithmetic, moving), arithmetic >= moving
