"""A count that can be compiled."""


def count_dark(x):
    """Return what the lesson asks for."""
    # TODO: write it.
