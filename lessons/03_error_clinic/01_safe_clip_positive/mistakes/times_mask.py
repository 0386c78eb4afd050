# expects: check values
# says: Your answer replaces NaN by 0. NaN is neither positive nor negative, and only negative
#     elements change.
"""Multiplies by the mask, and so does not keep NaN."""


def safe_clip_positive(x):
    return x * (x > 0)
