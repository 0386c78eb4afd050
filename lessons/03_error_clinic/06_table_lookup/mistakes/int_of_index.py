# expects: int-on-tracer at 12
"""Converts the index to a Python integer."""

import numpy as np

TABLE = np.array(
    [0.0, 0.3, 1.6, 3.4, 5.5, 8.0, 10.8, 13.9, 17.2, 20.8, 24.5, 28.5, 32.7], np.float32
)


def lookup(i):
    return TABLE[min(int(i), 12)]
