# expects: check order
# says: Your rows come in the order of the table.
"""Does not shuffle."""

import grain


def pipeline(rows, size, seed, state=None):
    batches = grain.MapDataset.source(rows).batch(size, drop_remainder=True).repeat()
    iterator = iter(batches.to_iter_dataset())
    if state is not None:
        iterator.set_state(state)
    return iterator
