"""Short numbers stay short: half of each element."""

import numpy as np


def halve(x):
    """Return half of each element of x, in the dtype of x."""
    # TODO: the answer has 32 bits even when x has 16.
    return x * np.float32(0.5)
