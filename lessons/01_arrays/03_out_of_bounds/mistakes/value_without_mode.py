# expects: check values
"""Says with what to fill, and not that it should."""


def safe_take(x, idx, fill):
    return x.at[idx].get(fill_value=fill)
