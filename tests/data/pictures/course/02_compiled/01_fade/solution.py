"""A loop in the program."""


def fade(x):
    """Return what the lesson asks for."""
    # TODO: write it.
