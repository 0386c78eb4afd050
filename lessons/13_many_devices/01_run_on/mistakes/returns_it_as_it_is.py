# expects: check values
"""Forgets to double."""


def run_on(x):
    return x
