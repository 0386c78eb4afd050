# expects: failed: asked for is
# Gives an array without elements.


def safe_clip_positive(x):
    return x[:0]
