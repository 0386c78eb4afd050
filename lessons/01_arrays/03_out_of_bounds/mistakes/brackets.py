# expects: check values
"""Reads, and takes what comes."""


def safe_take(x, idx, fill):
    return x[idx]
