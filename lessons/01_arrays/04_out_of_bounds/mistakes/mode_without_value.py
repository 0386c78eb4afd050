# expects: check values
# says: Your answer fills, but not with `fill`: it uses the default, NaN or the smallest integer.
"""Says that it should fill, but not with what."""


def safe_take(x, idx, fill):
    return x.at[idx].get(mode="fill")
