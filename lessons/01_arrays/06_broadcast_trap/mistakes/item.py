# expects: item-on-tracer at 6
"""Wants a Python number in the end, by another name."""


def mse(pred, y):
    return ((pred[:, 0] - y) ** 2).mean().item()
