# expects: failed: expected
# Gives a numpy matrix.
import numpy as np


def safe_clip_positive(x):
    return np.matrix([[3.0, 0.0, 0.5]])
