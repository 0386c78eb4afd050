# expects: check values
# says: Your answer is wrong where the old element is 0 or infinite: no factor turns it into `v`.
#     The old element should take no part in the result.
"""Multiplies the old element by the ratio of new and old."""


def replace_at(x, i, v):
    return x.at[i].multiply(v / x[i]).astype(x.dtype)
