"""The shortest time that a program can take on a device, without running it."""


def roofline(step, shapes, flops, bandwidth):
    """Return (seconds, memory_bound) for step, called with arguments of these shapes."""
    # TODO: this counts the arithmetic alone, and all of the program's data has to be moved too.
    cost = step.lower(*shapes).compile().cost_analysis()
    return cost.get("flops", 0.0) / flops, False
