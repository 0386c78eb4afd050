# expects: numpy-call-on-tracer at 8
"""Takes the larger one with numpy's `maximum`."""

import numpy as np


def safe_clip_positive(x):
    return np.maximum(x, 0)
