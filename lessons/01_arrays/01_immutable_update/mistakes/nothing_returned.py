# expects: check values
"""Forgets to return the new array."""


def replace_at(x, i, v):
    x = x.at[i].set(v)
