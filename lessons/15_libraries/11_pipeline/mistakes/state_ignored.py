# expects: check resumed
# says: Your iterator starts at the first batch, whatever the state says.
"""Does not use the state."""

import grain


def pipeline(rows, size, seed, state=None):
    batches = grain.MapDataset.source(rows).shuffle(seed=seed)
    batches = batches.batch(size, drop_remainder=True).repeat()
    return iter(batches.to_iter_dataset())
