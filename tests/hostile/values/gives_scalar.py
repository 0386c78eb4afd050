# expects: failed: expected
# Gives one number.


def safe_clip_positive(x):
    return x.sum()
