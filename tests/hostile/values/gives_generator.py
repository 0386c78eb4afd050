# expects: raised: TypeError
# Gives a generator.


def safe_clip_positive(x):
    return (value for value in [x])
