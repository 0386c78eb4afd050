# expects: check values
"""Says that it should fill, and not with what."""


def safe_take(x, idx, fill):
    return x.at[idx].get(mode="fill")
