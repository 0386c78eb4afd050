# expects: raised: TypeError
# Gives numbers of 128 bits.
import numpy as np


def safe_clip_positive(x):
    return np.zeros(3, np.longdouble)
