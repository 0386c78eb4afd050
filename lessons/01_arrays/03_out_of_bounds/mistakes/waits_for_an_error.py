# expects: check values
"""Waits for an IndexError."""


def safe_take(x, idx, fill):
    try:
        return x[idx]
    except IndexError:
        return fill
