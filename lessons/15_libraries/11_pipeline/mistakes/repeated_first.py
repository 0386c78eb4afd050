# expects: check epochs
# says: A batch of yours takes rows from two epochs. Repeat the batches, and not the rows.
"""Repeats the rows, and batches across epochs."""

import grain


def pipeline(rows, size, seed, state=None):
    batches = grain.MapDataset.source(rows).shuffle(seed=seed).repeat()
    iterator = iter(batches.batch(size, drop_remainder=True).to_iter_dataset())
    if state is not None:
        iterator.set_state(state)
    return iterator
