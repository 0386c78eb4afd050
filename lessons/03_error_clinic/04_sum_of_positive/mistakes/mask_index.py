# expects: boolean-mask-index at 6
"""Takes the positive ones and their mean, as in NumPy."""


def mean_of_positive(x):
    return x[x > 0].mean()
