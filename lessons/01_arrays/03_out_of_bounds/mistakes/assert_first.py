# expects: traced-bool-in-assert at 6
"""Makes sure with an assert."""


def safe_take(x, idx, fill):
    assert idx.max() < len(x)
    return x[idx]
