"""Shuffles the numbers of the rows, and looks them up afterwards."""

import grain


def pipeline(rows, size, seed, state=None):
    numbers = grain.MapDataset.range(len(rows)).seed(seed).shuffle()
    batches = numbers.map(lambda i: rows[i]).batch(size, drop_remainder=True).repeat()
    iterator = batches.to_iter_dataset().__iter__()
    if state:
        iterator.set_state(state)
    return iterator
