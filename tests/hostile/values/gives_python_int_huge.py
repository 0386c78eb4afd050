# expects: raised: OverflowError
# Gives an integer of a thousand digits.


def safe_clip_positive(x):
    return 10**1000
