# expects: check values
"""Takes the last of the running sums, which are in 16 bits."""


def mean_f16(x):
    return x.ravel().cumsum()[-1] / x.size
