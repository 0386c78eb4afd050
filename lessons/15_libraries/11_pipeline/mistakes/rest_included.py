# expects: check epochs
# says: Your epochs end with a batch that is too small. The rest is left out.
"""Keeps the rest as a smaller batch."""

import grain


def pipeline(rows, size, seed, state=None):
    batches = grain.MapDataset.source(rows).shuffle(seed=seed).batch(size).repeat()
    iterator = iter(batches.to_iter_dataset())
    if state is not None:
        iterator.set_state(state)
    return iterator
