"""NumPy's product is computed at once too."""

import numpy as np


def merge_leading(x):
    return x.reshape((np.prod(x.shape[:-1]), x.shape[-1]))
