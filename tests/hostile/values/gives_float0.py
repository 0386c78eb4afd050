# expects: failed: elements differ
# Gives an array of the dtype of what has no tangent.
import jax
import numpy as np


def safe_clip_positive(x):
    return np.zeros(3, jax.dtypes.float0)
