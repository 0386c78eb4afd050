# expects: raised: TypeError
# Gives a class.


def safe_clip_positive(x):
    return int
