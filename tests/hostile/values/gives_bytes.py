# expects: raised: TypeError
# Gives bytes.


def safe_clip_positive(x):
    return b'3'
