"""A product of the errors with themselves."""


def mse(pred, y):
    error = pred.ravel() - y
    return error @ error / y.size
