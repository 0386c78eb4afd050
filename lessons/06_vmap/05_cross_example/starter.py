"""Examples that see one another: subtract the mean of the batch."""


def center(x):
    """Return x minus the mean of the batch, whose axis is named "batch"."""
    # TODO: this is the mean within one example.
    return x - x.mean()
