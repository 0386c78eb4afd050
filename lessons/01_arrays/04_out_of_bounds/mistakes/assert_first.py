# expects: traced-bool-in-assert at 6
"""Tries to make sure with an assert."""


def safe_take(x, idx, fill):
    assert idx.max() < len(x)
    return x[idx]
