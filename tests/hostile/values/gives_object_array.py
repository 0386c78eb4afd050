# expects: raised: TypeError
# Gives an array of objects.
import numpy as np


def safe_clip_positive(x):
    return np.array([object(), None, 'x'], dtype=object)
