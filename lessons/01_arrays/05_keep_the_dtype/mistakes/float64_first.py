# expects: float64-truncated at 6
"""Asks for 64 bits, to be on the safe side."""


def halve(x):
    return x.astype("float64") * 0.5
