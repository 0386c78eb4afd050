# expects: check values
# says: Your step subtracts the height, which is the same number for every coordinate. Subtract the
#     gradient.
"""Subtracts the height."""


def step_down(height, place, rate):
    return place - rate * height(place)
