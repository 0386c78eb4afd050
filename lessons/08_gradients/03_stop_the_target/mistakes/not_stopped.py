# expects: check gradient
# says: Your value is right, but your gradient moves the target as well: `params` still reaches
#     the loss through the value of `s2`.
"""Lets the gradient move the target."""


def td_loss(params, s, r, s2):
    return (r + 0.9 * (params @ s2) - params @ s) ** 2
