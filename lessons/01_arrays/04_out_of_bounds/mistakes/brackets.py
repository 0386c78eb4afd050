# expects: check values
# says: Your answer never uses `fill`: an index out of bounds reads the nearest element, and no
#     error is raised.
"""Reads, and accepts what comes."""


def safe_take(x, idx, fill):
    return x[idx]
