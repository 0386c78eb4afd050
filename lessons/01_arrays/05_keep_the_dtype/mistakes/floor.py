# expects: check values
# says: Your answer is rounded down to whole numbers. `//` divides and drops the fraction.
"""Divides with `//`, which rounds down."""


def halve(x):
    return x // 2
