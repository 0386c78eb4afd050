# expects: numpy-call-on-tracer at 8
"""Makes the mask with numpy, so that it be concrete."""

import numpy as np


def mean_of_positive(x):
    return x[np.asarray(x) > 0].sum() / max(x.size, 1)
