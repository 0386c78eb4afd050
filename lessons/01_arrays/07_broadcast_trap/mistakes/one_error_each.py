# expects: check values
# says: Your answer has one error for each prediction. The mean of them is one number.
"""Forgets the mean."""


def mse(pred, y):
    return (pred[:, 0] - y) ** 2
