# expects: check values
# says: Your answer is never below zero. In winter the highest temperature can be.
"""Starts a search at zero."""


def warmest(degrees):
    best = 0.0
    for one in degrees:
        if one > best:
            best = one
    return best
