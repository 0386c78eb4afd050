# expects: reshape-size-mismatch at 6
"""Adds the sizes instead of multiplying them."""


def merge_leading(x):
    return x.reshape(sum(x.shape[:-1]), x.shape[-1])
