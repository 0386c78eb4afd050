# expects: check values
"""Forgets to double."""


def lean_attention(x):
    return x
