# expects: check order
# says: Your batches have the same rows in every epoch: only the order of the batches changes.
"""Shuffles after batching."""

import grain


def pipeline(rows, size, seed, state=None):
    batches = grain.MapDataset.source(rows).batch(size, drop_remainder=True)
    iterator = iter(batches.shuffle(seed=seed).repeat().to_iter_dataset())
    if state is not None:
        iterator.set_state(state)
    return iterator
