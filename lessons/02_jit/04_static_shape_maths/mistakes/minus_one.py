# expects: reshape-around-zero at 6
"""Leaves the size to reshape, which cannot know it when the last axis is empty."""


def merge_leading(x):
    return x.reshape(-1, x.shape[-1])
