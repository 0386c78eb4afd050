# expects: check values
"""Forgets the mean."""


def mse(pred, y):
    return (pred[:, 0] - y) ** 2
