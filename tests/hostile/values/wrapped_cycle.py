# expects: raised: ValueError
# Is a function that says it wraps itself, and gives None.


def safe_clip_positive(x):
    return None


safe_clip_positive.__wrapped__ = safe_clip_positive
