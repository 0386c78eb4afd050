# expects: check traces-once
# says: Your function is traced again although the axis and the shape were seen before. One
#     function, compiled once and kept, finds its program again.
"""Returns the function itself, which is never compiled as a whole."""


def make_reducer():
    def spread(x, axis):
        return x.max(axis) - x.min(axis)

    return spread
