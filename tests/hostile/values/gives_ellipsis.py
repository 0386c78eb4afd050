# expects: raised: TypeError
# Gives Ellipsis.


def safe_clip_positive(x):
    return ...
