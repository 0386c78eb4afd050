# expects: failed: does not accept
# Takes no argument.


def safe_clip_positive():
    return 0
