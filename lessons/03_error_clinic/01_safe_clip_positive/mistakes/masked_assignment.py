# expects: masked-assignment at 6
"""Writes in place, as numpy allows."""


def safe_clip_positive(x):
    x[x < 0] = 0
    return x
