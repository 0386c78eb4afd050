# expects: check values
# says: Your answer carries the rounding of the old element with it: the difference between a huge
#     number and `v` has no room for `v`, and `inf - inf` is NaN. The old element should take no
#     part in the result.
"""Adds the difference between the new and the old element."""


def replace_at(x, i, v):
    return x.at[i].add(v - x[i])
