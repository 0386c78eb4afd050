# expects: raised: TypeError
# Gives numbers in another byte order.
import numpy as np


def safe_clip_positive(x):
    return np.array([3.0, 0.0, 0.5], '>f4')
