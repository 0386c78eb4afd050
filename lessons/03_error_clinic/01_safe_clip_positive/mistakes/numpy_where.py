# expects: numpy-call-on-tracer at 8
"""Has the right idea in the wrong library."""

import numpy as np


def safe_clip_positive(x):
    return np.where(x < 0, 0, x)
