# expects: raised: TypeError
# Gives an array of dates.
import numpy as np


def safe_clip_positive(x):
    return np.array(['2020-01-01'] * 3, dtype='datetime64[D]')
