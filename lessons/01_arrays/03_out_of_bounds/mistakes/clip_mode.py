# expects: check values
"""Takes the nearest place."""


def safe_take(x, idx, fill):
    return x.at[idx].get(mode="clip", fill_value=fill)
