# expects: check values
# says: Your answer never uses `fill`: an index out of bounds reads the nearest element, and no
#     error is raised.
"""Says what to fill in, but not that it should fill."""


def safe_take(x, idx, fill):
    return x.at[idx].get(fill_value=fill)
