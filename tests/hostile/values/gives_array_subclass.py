# expects: failed: elements differ
# Gives an array of a class that lies.
import numpy as np


class Odd(np.ndarray):
    def __eq__(self, other):
        return True

    __hash__ = None


def safe_clip_positive(x):
    return np.zeros(3, np.float32).view(Odd)
