# expects: check gradient
"""Lets the gradient move the target."""


def td_loss(params, s, r, s2):
    return (r + 0.9 * (params @ s2) - params @ s) ** 2
