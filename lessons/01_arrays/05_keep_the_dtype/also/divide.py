"""Divides by a plain 2."""


def halve(x):
    return x / 2
