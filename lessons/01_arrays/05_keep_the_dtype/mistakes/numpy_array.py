# expects: check dtype
# says: Your answer has 32 bits even when `x` has 16: something in your expression has a dtype of
#     its own, and the wider dtype wins.
"""Divides by a NumPy array without axes."""

import numpy as np


def halve(x):
    return x / np.array(2.0)
