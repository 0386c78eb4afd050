# expects: check values
# says: Your function needs exactly three axes. `x` may have two, or four.
"""Assumes that every array has three axes."""


def merge_leading(x):
    return x.reshape(x.shape[0] * x.shape[1], x.shape[2])
