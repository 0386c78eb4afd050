# expects: failed: None
# Gives nothing.


def safe_clip_positive(x):
    return None
