# expects: failed: expected
# Gives a list of Python's numbers.


def safe_clip_positive(x):
    return [3.0, 0.0, 0.5]
