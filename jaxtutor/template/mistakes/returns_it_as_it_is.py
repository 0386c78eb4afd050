# expects: check values
"""Forgets to double."""


def FUNCTION(x):
    return x
