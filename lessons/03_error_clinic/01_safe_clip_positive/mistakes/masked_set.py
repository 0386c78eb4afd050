# expects: boolean-mask-index at 6
"""Writes through a boolean mask."""


def safe_clip_positive(x):
    return x.at[x < 0].set(0)
