# expects: check values
# says: Your answer overflows: the sum is kept in 16 bits. It needs a wider dtype on the way.
"""Adds up in 16 bits."""


def mean_f16(x):
    return x.sum() / x.size
