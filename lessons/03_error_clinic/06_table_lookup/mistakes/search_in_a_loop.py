# expects: traced-early-return at 13
"""Goes through the table until it is there."""

import numpy as np

TABLE = np.array(
    [0.0, 0.3, 1.6, 3.4, 5.5, 8.0, 10.8, 13.9, 17.2, 20.8, 24.5, 28.5, 32.7], np.float32
)


def lookup(i):
    for force, speed in enumerate(TABLE):
        if force == i:
            return speed
    return TABLE[-1]
