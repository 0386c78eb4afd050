# expects: item-on-tracer at 6
"""Takes the number out of the array."""


def td_loss(params, s, r, s2):
    target = (r + 0.9 * (params @ s2)).item()
    return (target - params @ s) ** 2
