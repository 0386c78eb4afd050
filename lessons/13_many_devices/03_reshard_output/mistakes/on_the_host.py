# expects: numpy-call-on-tracer at 8
"""Fetches the rows to the host."""

import numpy as np


def replicated_sum_rows(x):
    return np.sum(np.asarray(x), axis=1)
