# expects: TypeError at 8
"""Seeds a generator of numpy with the step."""

import numpy as np


def noise(key, step, shape):
    return np.random.default_rng(step).normal(size=shape)
