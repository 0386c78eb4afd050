# expects: check values
"""Divides first; the number of elements is infinite in 16 bits."""


def mean_f16(x):
    return (x / x.size).sum()
