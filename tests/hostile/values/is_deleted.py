# expects: failed: is not defined
# Is deleted at the end.


def safe_clip_positive(x):
    return x


del safe_clip_positive
