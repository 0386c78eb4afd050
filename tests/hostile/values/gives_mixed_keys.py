# expects: raised: ValueError
# Gives a dictionary whose keys have no order.


def safe_clip_positive(x):
    return {1: x, 'one': x, None: x}
