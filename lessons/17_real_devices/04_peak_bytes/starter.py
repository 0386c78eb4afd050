"""The largest batch that fits, without running anything."""

import jax


def largest_batch(step, w, row, budget):
    """Return the largest power of two n for which step(w, n rows) fits into budget bytes, or 0."""
    n = 1
    while True:
        batch = jax.ShapeDtypeStruct((2 * n, *row.shape), row.dtype)
        # TODO: this counts the batch alone. What else does the step need?
        if batch.size * batch.dtype.itemsize > budget:
            return n
        n *= 2
