# expects: inplace-assignment at 6
"""Assigns to the place instead of calling `.set`."""


def replace_at(x, i, v):
    x.at[i] = v
    return x
