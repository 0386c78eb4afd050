# expects: raised: TypeError
# Gives an array of texts.
import numpy as np


def safe_clip_positive(x):
    return np.array(['a', 'b', 'c'])
