# expects: failed: does not take
# Takes two arguments.


def safe_clip_positive(x, y):
    return x
