"""Looks for the exponent by halving its range."""

import jax


def largest_batch(step, w, row, budget):
    def fits(k):
        plan = step.lower(w, row.update(shape=(2**k, *row.shape))).compile().memory_analysis()
        held = plan.argument_size_in_bytes + plan.output_size_in_bytes + plan.temp_size_in_bytes
        return held - plan.alias_size_in_bytes <= budget

    low, high = -1, 20
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if fits(middle) else (low, middle)
    return 2**low if low >= 0 else 0
