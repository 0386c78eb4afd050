# expects: failed: asked for is
# Gives one number.


def safe_clip_positive(x):
    return x.sum()
