# expects: check values
# says: Your answer has the right shape and the wrong order. The elements must stay in the order
#     in which they lie in `x`.
"""Gets the shape right and the order of the elements wrong."""

import math


def merge_leading(x):
    return x.T.reshape(math.prod(x.shape[:-1]), x.shape[-1])
