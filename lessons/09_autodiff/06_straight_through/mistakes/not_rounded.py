# expects: check values
# says: Your answer is `x`, not rounded.
"""Has the right slope, and does not round."""


def round_ste(x):
    return x
