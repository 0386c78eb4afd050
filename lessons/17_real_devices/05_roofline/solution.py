"""The shortest time that a program can take on a device, without running it."""


def roofline(step, shapes, flops, bandwidth):
    """Return (seconds, memory_bound) for step, called with arguments of these shapes."""
    cost = step.lower(*shapes).compile().cost_analysis()  # compiled: what is fused moves less
    arithmetic = cost.get("flops", 0.0) / flops
    moving = cost["bytes accessed"] / bandwidth
    return max(arithmetic, moving), moving >= arithmetic
