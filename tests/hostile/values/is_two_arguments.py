# expects: failed: does not accept
# Takes two arguments.


def safe_clip_positive(x, y):
    return x
