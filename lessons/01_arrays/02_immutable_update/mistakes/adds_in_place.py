# expects: inplace-assignment at 6
"""Adds the difference in place."""


def replace_at(x, i, v):
    x[i] += v - x[i]
    return x
