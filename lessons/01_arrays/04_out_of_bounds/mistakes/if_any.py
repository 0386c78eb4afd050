# expects: traced-bool-in-if at 6
"""Asks Python whether there is anything to fill."""


def safe_take(x, idx, fill):
    if (idx >= len(x)).any():
        return x.at[idx].get(mode="fill", fill_value=fill)
    return x[idx]
