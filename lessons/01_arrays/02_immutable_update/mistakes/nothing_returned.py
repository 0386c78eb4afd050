# expects: missing-return at 5
"""Forgets to return the new array."""


def replace_at(x, i, v):
    x = x.at[i].set(v)
