# expects: failed: elements differ
# Gives numbers laid out backwards.
import numpy as np


def safe_clip_positive(x):
    return np.array([3.0, 0.0, 0.5], np.float32)[::-1]
