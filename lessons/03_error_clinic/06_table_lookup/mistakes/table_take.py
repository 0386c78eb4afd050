# expects: traced-index-into-numpy at 12
"""Calls the table's own method."""

import numpy as np

TABLE = np.array(
    [0.0, 0.3, 1.6, 3.4, 5.5, 8.0, 10.8, 13.9, 17.2, 20.8, 24.5, 28.5, 32.7], np.float32
)


def lookup(i):
    return TABLE.take(i, mode="clip")
