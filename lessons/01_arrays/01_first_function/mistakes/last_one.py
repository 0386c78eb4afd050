# expects: check values
# says: Your answer is the last temperature. The highest can stand anywhere.
"""Takes the last number without sorting."""


def warmest(degrees):
    return degrees[-1]
