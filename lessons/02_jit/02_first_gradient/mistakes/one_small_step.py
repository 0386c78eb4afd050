# expects: check values
# says: Your answer is one number for all coordinates together: all of them were moved at once. The
#     gradient has a number for each.
"""Moves all coordinates at once by a small step."""


def uphill(height, place):
    return (height(place + 1e-3) - height(place)) / 1e-3
