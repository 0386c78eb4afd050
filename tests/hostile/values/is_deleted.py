# expects: failed: not there
# Is deleted at the end.


def safe_clip_positive(x):
    return x


del safe_clip_positive
