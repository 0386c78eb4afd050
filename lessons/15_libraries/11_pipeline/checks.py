"""What pipeline asks for."""

import json
from itertools import islice

import numpy as np

from jaxtutor.core.vocabulary import Call, Custom

JIT = False


def subject(module):
    """Take the batches of the first epoch; say which of their properties hold."""

    def epoch(rows, size, seed):
        rows = np.asarray(rows)
        batches = list(islice(module.pipeline(rows, size, seed), len(rows) // size))
        batches = [np.asarray(batch) for batch in batches]
        taken = np.sort(np.concatenate(batches), axis=0)
        known = np.unique(rows)
        return {
            "shapes": [list(batch.shape) for batch in batches],
            "float": bool(taken.dtype == np.float32),
            "once": len(np.unique(taken)) == taken.size,
            "known": bool(np.isin(taken, known).all()),
        }

    epoch.make = module.pipeline
    return epoch


EXAMPLES = [
    Call(np.arange(6, dtype=np.float32), 3, 0),
    Call(np.arange(10, dtype=np.float32), 4, 0).when("a rest that does not fill a batch"),
]


def hidden(rng):
    """Yield tables and other sizes."""
    yield Call(np.arange(24, dtype=np.float32).reshape(12, 2), 5, 1)
    yield Call(np.arange(7, dtype=np.int32), 1, 2).when("batches of one row")
    yield Call(np.arange(4, dtype=np.float32), 4, 3).when("one batch in each epoch")


ROWS = np.arange(40, dtype=np.float32)


def take(iterator, count):
    """Take so many batches."""
    return [np.asarray(next(iterator)) for _ in range(count)]


def epochs(epoch):
    """Return what is wrong with the second and the third epoch."""
    rows = np.arange(10, dtype=np.float32)
    batches = take(epoch.make(rows, 3, 5), 9)
    for number in range(3):
        taken = np.concatenate(batches[3 * number : 3 * number + 3])
        if len(np.unique(taken)) != 9:
            return f"in epoch {number + 1} of 10 rows, a row comes twice"
    whole = np.arange(12, dtype=np.float32)
    for number, both in enumerate(zip(*[iter(take(epoch.make(whole, 6, 2), 8))] * 2, strict=True)):
        if not np.array_equal(np.sort(np.concatenate(both)), whole):
            return f"epoch {number + 1} of 12 rows in batches of 6 does not have each row once"
    return None


def order(epoch):
    """Return in which way the order is not shuffled."""
    first, second = (np.concatenate(part) for part in halves(take(epoch.make(ROWS, 8, 1), 10)))
    if np.array_equal(first, ROWS):
        return "the rows come in the order of the table"
    if np.array_equal(first, second):
        return "the second epoch has the order of the first"
    sets = [{frozenset(batch.tolist()) for batch in part.reshape(5, 8)} for part in (first, second)]
    if sets[0] & sets[1]:
        return "the same rows are in one batch in both epochs"
    if np.array_equal(first, np.concatenate(take(epoch.make(ROWS, 8, 2), 5))):
        return "another seed gives the same order"
    if not np.array_equal(first, np.concatenate(take(epoch.make(ROWS, 8, 1), 5))):
        return "the same seed gives another order"
    return None


def halves(batches):
    """Return the first and the second half of a list."""
    return batches[: len(batches) // 2], batches[len(batches) // 2 :]


def resumed(epoch):
    """Return after how many batches a resumed iterator differs."""
    for done in (0, 1, 4, 5, 7, 12):
        iterator = epoch.make(ROWS, 8, 3)
        take(iterator, done)
        state = json.loads(json.dumps(iterator.get_state()))
        wanted = take(iterator, 6)
        again = take(epoch.make(ROWS, 8, 3, state), 6)
        if not np.array_equal(wanted, again):
            return f"resumed after {done} batches, the next ones differ"
    return None


def small(epoch):
    """Return the size of the state after many batches."""
    iterator = epoch.make(ROWS, 8, 3)
    take(iterator, 60)
    size = len(json.dumps(iterator.get_state()))
    return None if size < 400 else f"after 60 batches the state has {size} characters"


PROPERTIES = [
    Custom("epochs", "Each epoch has each row at most once.", epochs),
    Custom("order", "Each epoch and each seed has an order of its own.", order),
    Custom("resumed", "A restored iterator returns the same next batches.", resumed),
    Custom("state-is-small", "The state does not grow.", small),
]
