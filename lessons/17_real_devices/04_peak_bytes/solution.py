"""The largest batch that fits, without running anything."""

import jax


def bytes_for(step, w, batch):
    """Return how many bytes the compiled step needs at once."""
    plan = step.lower(w, batch).compile().memory_analysis()
    held = plan.argument_size_in_bytes + plan.output_size_in_bytes + plan.temp_size_in_bytes
    return held - plan.alias_size_in_bytes  # a donated argument and its result share a buffer


def largest_batch(step, w, row, budget):
    """Return the largest power of two n for which step(w, n rows) fits into budget bytes, or 0."""
    n = 1
    while bytes_for(step, w, jax.ShapeDtypeStruct((n, *row.shape), row.dtype)) <= budget:
        n *= 2
    return n // 2  # the last that fits; 0 if n is 1
