# expects: raised: TypeError
# Gives text.


def safe_clip_positive(x):
    return '[3.0, 0.0, 0.5]'
