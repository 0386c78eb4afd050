# expects: failed: expected
# Gives an array without elements.


def safe_clip_positive(x):
    return x[:0]
