# expects: TypeError at 6
"""Turns x into a Python number."""


def halve(x):
    return float(x) / 2
