# expects: raised: TypeError
# Gives a structured array.
import numpy as np


def safe_clip_positive(x):
    return np.zeros(3, dtype=[('a', 'f4'), ('b', 'i4')])
