# expects: float-on-tracer at 6
"""Turns the target into a Python number."""


def td_loss(params, s, r, s2):
    target = float(r + 0.9 * (params @ s2))
    return (target - params @ s) ** 2
