# expects: check values
"""Adds up in 16 bits."""


def mean_f16(x):
    return x.sum() / x.size
