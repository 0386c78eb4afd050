# expects: check values
# says: Your answer never uses `fill`: an index out of bounds reads the nearest element, and no
#     error is raised.
"""Reads from the nearest place."""


def safe_take(x, idx, fill):
    return x.at[idx].get(mode="clip", fill_value=fill)
