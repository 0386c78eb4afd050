# expects: check values
"""Gets the shape right and the order of the elements wrong."""

import math


def merge_leading(x):
    return x.T.reshape(math.prod(x.shape[:-1]), x.shape[-1])
