"""Calls it as a method of the array."""


def warmest(degrees):
    return degrees.max()
