# expects: check values
# says: Your step goes towards the origin. Only in a bowl around the origin is that downhill: use the
#     gradient of `height`.
"""Moves towards zero, which is right for the bowl of the examples."""


def step_down(height, place, rate):
    return place - rate * 2 * place
