# expects: check values
# says: Your answer does not keep what is not finite: a product with a mask is not a choice.
"""Multiplies by the mask, and so does not keep NaN."""


def safe_clip_positive(x):
    return x * (x > 0)
