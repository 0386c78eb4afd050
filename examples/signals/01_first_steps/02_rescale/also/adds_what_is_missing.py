"""Adds the boolean, so that a width of 0 becomes 1."""


def rescale(x):
    lo = x.min()
    width = x.max() - lo
    return (x - lo) / (width + (width == 0))
