# expects: check values
# says: Your answer never uses `fill`: an index out of bounds reads the nearest element, and no
#     error is raised.
"""Waits for an IndexError."""


def safe_take(x, idx, fill):
    try:
        return x[idx]
    except IndexError:
        return fill
