"""No IndexError here: read, and fill in what does not exist."""


def safe_take(x, idx, fill):
    """Return x at the places idx, with fill where there is no such place."""
    # Without the mode, an index past the end would read the last element.
    return x.at[idx].get(mode="fill", fill_value=fill)
