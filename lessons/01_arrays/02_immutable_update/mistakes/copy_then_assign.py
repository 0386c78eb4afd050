# expects: inplace-assignment at 7
"""Copies first; the copy cannot be changed either."""


def replace_at(x, i, v):
    y = x.copy()
    y[i] = v
    return y
