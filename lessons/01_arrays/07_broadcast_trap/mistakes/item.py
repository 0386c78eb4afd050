# expects: item-on-tracer at 6
"""Asks for a Python number at the end, by another name."""


def mse(pred, y):
    return ((pred[:, 0] - y) ** 2).mean().item()
