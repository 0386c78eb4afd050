# expects: numpy-call-on-tracer at 8
"""Turns the target into a NumPy array."""

import numpy as np


def td_loss(params, s, r, s2):
    target = np.asarray(r + 0.9 * (params @ s2))
    return (target - params @ s) ** 2
