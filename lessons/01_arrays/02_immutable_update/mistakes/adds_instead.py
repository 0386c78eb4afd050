# expects: check values
# says: Your answer adds `v` to the old element. After a replacement, nothing of the old element
#     is left.
"""Adds where it should replace."""


def replace_at(x, i, v):
    return x.at[i].add(v)
