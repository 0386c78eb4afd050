# expects: traced-dict-key at 13
"""Keeps the table in a dictionary."""

import numpy as np

TABLE = np.array(
    [0.0, 0.3, 1.6, 3.4, 5.5, 8.0, 10.8, 13.9, 17.2, 20.8, 24.5, 28.5, 32.7], np.float32
)
SPEEDS = dict(enumerate(TABLE))


def lookup(i):
    return SPEEDS[i]
