# expects: inplace-assignment at 6
"""Writes over the element, as one does in NumPy."""


def replace_at(x, i, v):
    x[i] = v
    return x
