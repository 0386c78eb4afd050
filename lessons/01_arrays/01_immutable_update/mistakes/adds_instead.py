# expects: check values
"""Adds where it should replace."""


def replace_at(x, i, v):
    return x.at[i].add(v)
