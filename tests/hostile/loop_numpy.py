# expects: timed_out: still running after
# It computes in NumPy without an end.
import numpy as np

while True:
    np.linalg.svd(np.ones((600, 600)))


def safe_clip_positive(x):
    return x
