# expects: check values
# says: Your answer overflows: the sum or the number of elements is in 16 bits before the division.
#     Only the quotient fits.
"""Adds up in 16 bits."""


def mean_f16(x):
    return x.sum() / x.size
