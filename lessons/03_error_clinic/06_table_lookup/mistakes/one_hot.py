# expects: check values
# says: Your answer is 0 for a force above 12: no entry belongs to it. It counts as 12.
"""Adds up the one entry whose place is `i`; past the end there is none."""

import jax
import numpy as np

TABLE = np.array(
    [0.0, 0.3, 1.6, 3.4, 5.5, 8.0, 10.8, 13.9, 17.2, 20.8, 24.5, 28.5, 32.7], np.float32
)


def lookup(i):
    return jax.nn.one_hot(i, TABLE.size) @ TABLE
