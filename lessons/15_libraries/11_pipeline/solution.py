"""Batches that can be resumed."""

import grain


def pipeline(rows, size, seed, state=None):
    """Return an endless iterator over shuffled batches, from a state on if there is one."""
    # Rows are shuffled, then batched; then comes the next epoch, in another order.
    batches = grain.MapDataset.source(rows).shuffle(seed=seed)
    batches = batches.batch(size, drop_remainder=True).repeat()
    iterator = iter(batches.to_iter_dataset())
    if state is not None:
        iterator.set_state(state)
    return iterator
