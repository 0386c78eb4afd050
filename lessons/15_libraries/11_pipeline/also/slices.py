"""Cuts the rest off in each epoch by a slice of batches."""

import grain


def pipeline(rows, size, seed, state=None):
    shuffled = grain.MapDataset.source(rows).shuffle(seed=seed)
    batches = shuffled.batch(size)[: len(rows) // size].repeat(None)
    iterator = iter(batches.to_iter_dataset(grain.ReadOptions(num_threads=0)))
    if state is not None:
        iterator.set_state(state)
    return iterator
