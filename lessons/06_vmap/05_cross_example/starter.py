"""Examples that see one another: data without the mean of its batch."""


def center(x):
    """Return one example without the mean of the batch, whose axis is named "batch"."""
    # TODO: this is the mean within one example.
    return x - x.mean()
