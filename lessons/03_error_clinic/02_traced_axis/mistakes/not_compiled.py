# expects: check traces-once
"""Returns the function itself, which is never compiled as a whole."""


def make_reducer():
    def spread(x, axis):
        return x.max(axis) - x.min(axis)

    return spread
