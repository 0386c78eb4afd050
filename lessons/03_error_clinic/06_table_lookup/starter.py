"""A NumPy table, a traced index: wind speeds of the Beaufort scale."""

import numpy as np

# The lowest wind speed of each force from 0 to 12, in m/s.
TABLE = np.array(
    [0.0, 0.3, 1.6, 3.4, 5.5, 8.0, 10.8, 13.9, 17.2, 20.8, 24.5, 28.5, 32.7], np.float32
)


def lookup(i):
    """Return the entry of TABLE for force i; a force above 12 counts as 12."""
    # TODO: NumPy cannot look up a place that it does not know.
    return TABLE[i]
