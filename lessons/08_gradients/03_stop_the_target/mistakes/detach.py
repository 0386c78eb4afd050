# expects: attribute-typo at 6
"""Calls the method of another library."""


def td_loss(params, s, r, s2):
    target = (r + 0.9 * (params @ s2)).detach()
    return (target - params @ s) ** 2
