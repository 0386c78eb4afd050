# expects: check values
# says: `memory_analysis` says how many bytes are held at once. What takes time are the bytes that
#     are moved.
"""Counts the bytes that are held, twice."""


def roofline(step, shapes, flops, bandwidth):
    program = step.lower(*shapes).compile()
    arithmetic = program.cost_analysis().get("flops", 0.0) / flops
    plan = program.memory_analysis()
    held = plan.argument_size_in_bytes + plan.output_size_in_bytes
    moving = 2 * held / bandwidth
    return max(arithmetic, moving), moving >= arithmetic
