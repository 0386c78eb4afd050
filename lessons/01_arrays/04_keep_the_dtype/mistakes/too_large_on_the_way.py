# expects: check values
# says: Your answer is infinite for large numbers: they overflow before they are divided.
"""Doubles before it divides by 4."""


def halve(x):
    return x * 2 / 4
