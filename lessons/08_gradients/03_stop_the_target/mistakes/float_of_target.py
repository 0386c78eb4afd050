# expects: float-on-tracer at 6
"""Makes a Python number of the target."""


def td_loss(params, s, r, s2):
    target = float(r + 0.9 * (params @ s2))
    return (target - params @ s) ** 2
