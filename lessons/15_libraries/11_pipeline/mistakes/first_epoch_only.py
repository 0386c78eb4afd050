# expects: check epochs
# says: Your iterator ends after the first epoch.
"""Does not repeat."""

import grain


def pipeline(rows, size, seed, state=None):
    batches = grain.MapDataset.source(rows).shuffle(seed=seed).batch(size, drop_remainder=True)
    iterator = iter(batches.to_iter_dataset())
    if state is not None:
        iterator.set_state(state)
    return iterator
