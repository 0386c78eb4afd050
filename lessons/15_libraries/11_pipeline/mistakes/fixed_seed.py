# expects: check order
# says: Your order does not depend on the seed.
"""Ignores the seed."""

import grain


def pipeline(rows, size, seed, state=None):
    batches = grain.MapDataset.source(rows).shuffle(seed=42).batch(size, drop_remainder=True)
    iterator = iter(batches.repeat().to_iter_dataset())
    if state is not None:
        iterator.set_state(state)
    return iterator
