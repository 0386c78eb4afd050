# expects: failed: does not accept
# Takes its argument by name only.


def safe_clip_positive(*, x):
    return x
