# expects: check values
"""Divides with `//`, which rounds down."""


def halve(x):
    return x // 2
