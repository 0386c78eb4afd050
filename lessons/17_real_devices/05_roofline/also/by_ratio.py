"""Compares the intensity of the program with that of the device."""

import jax


def roofline(step, shapes, flops, bandwidth):
    """Return (seconds, memory_bound) for step, called with arguments of these shapes."""
    cost = jax.jit(step).trace(*shapes).lower().compile().cost_analysis()
    done, moved = cost.get("flops", 0.0), cost.get("bytes accessed", 0.0)
    if done * bandwidth <= moved * flops:
        return moved / bandwidth, True
    return done / flops, False
