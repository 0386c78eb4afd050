# expects: raised: RecursionError
# Calls itself for ever.


def safe_clip_positive(x):
    return safe_clip_positive(x)
