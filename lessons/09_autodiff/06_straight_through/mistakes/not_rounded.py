# expects: check values
"""Has the right slope, and does not round."""


def round_ste(x):
    return x
